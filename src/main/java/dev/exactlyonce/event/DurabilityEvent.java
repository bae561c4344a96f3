package dev.exactlyonce.event;

import java.time.Instant;

/**
 * A change of how durable the deduplication of this replica is: what the readiness check {@code durability:idempotency}
 * shows.
 *
 * <p>Fired in the order of the changes, on a background thread of the module: the change may be over when the observer runs.
 * Not guaranteed: that other replicas see the same change.
 *
 * @since 0.1
 */
public sealed interface DurabilityEvent permits StoreDegraded, StoreRestored {
    /** What is weaker than configured. */
    String reason();

    /** When it began, by the clock of this replica. */
    Instant since();

    /** What to check; names settings, never their values. */
    String hint();
}
