package dev.exactlyonce.guard;

import dev.exactlyonce.event.StoreDegraded;
import dev.exactlyonce.event.StoreRestored;
import java.time.Instant;

/**
 * A timed statement that a guarantee is weaker than configured. Named {@code durability:idempotency} in the readiness
 * check.
 *
 * @param reason what is weaker, in the words that operators search for
 * @param since when it began
 * @param hint what to check; names settings, never their values
 */
public record DegradedFact(String reason, Instant since, String hint) {
    StoreDegraded degraded() {
        return new StoreDegraded(reason, since, hint);
    }

    StoreRestored restored() {
        return new StoreRestored(reason, since, hint);
    }
}
