package dev.exactlyonce;

import java.time.Duration;
import java.util.List;

/**
 * What became of the items of a batch, each under a key of its own.
 *
 * @param ran how many items ran and are recorded
 * @param duplicates how many were recorded before, and did not run
 * @param inFlight how many run elsewhere now, and did not run here
 * @param leaseLeft of those, the longest that is left of a lease; zero without any
 * @param unavailable how many could not be asked for, and {@code on-outage} is {@code reject}
 * @param failures what the handler threw, an item each; their keys are free again
 */
public record Batch(
        int ran, int duplicates, int inFlight, Duration leaseLeft, int unavailable, List<Exception> failures) {
    public Batch {
        failures = List.copyOf(failures);
    }

    /** Whether every item is recorded: only then may the sender be told that the batch has arrived. */
    public boolean isComplete() {
        return failures.isEmpty() && inFlight == 0 && unavailable == 0;
    }
}
