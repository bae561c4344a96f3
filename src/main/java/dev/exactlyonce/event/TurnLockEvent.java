package dev.exactlyonce.event;

import java.time.Instant;

/**
 * A change of how far the turn lock of this replica reaches: what the readiness check {@code capability:turn_lock:redis} shows.
 *
 * <p>Fired in the order of the changes, on a background thread of the module: the change may be over when the observer runs.
 *
 * @since 0.1
 */
public sealed interface TurnLockEvent permits TurnLockDegraded, TurnLockRestored {
    /** What is weaker than configured. */
    String reason();

    /** When it began, by the clock of this replica. */
    Instant since();

    /** What to check; names settings, never their values. */
    String hint();
}
