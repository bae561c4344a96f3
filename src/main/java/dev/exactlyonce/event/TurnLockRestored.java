package dev.exactlyonce.event;

import java.time.Instant;

/**
 * The turn lock's backend answers again.
 *
 * @param reason what is weaker than configured
 * @param since when it began, by the clock of this replica
 * @param hint what to check; names settings, never their values
 * @since 0.1
 */
public record TurnLockRestored(String reason, Instant since, String hint) implements TurnLockEvent {}
