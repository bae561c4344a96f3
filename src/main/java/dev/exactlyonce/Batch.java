package dev.exactlyonce;

import java.time.Duration;
import java.util.List;

/**
 * The results of a batch, whose items each have a key of their own.
 *
 * <pre>{@code
 * Batch batch = runner.forEach("billing", events, event -> List.of(event.id()), this::handle);
 * if (!batch.isComplete()) {
 *     throw new ServiceUnavailableException();
 * }
 * }</pre>
 *
 * @param ran how many items ran and are recorded
 * @param duplicates how many were recorded before, and did not run
 * @param inFlight how many run elsewhere now, and did not run here
 * @param leaseLeft of those, the longest that is left of a lease; zero without any
 * @param unavailable how many were not run because the store is unavailable and {@code on-outage} is {@code reject}
 * @param failures what the handler threw, one for each failed item; their keys are free again
 * @since 0.1.0
 */
public record Batch(
        int ran, int duplicates, int inFlight, Duration leaseLeft, int unavailable, List<Exception> failures) {
    public Batch {
        failures = List.copyOf(failures);
    }

    /** Whether every item is recorded. Only then may the request be answered with a 2xx. */
    public boolean isComplete() {
        return failures.isEmpty() && inFlight == 0 && unavailable == 0;
    }
}
