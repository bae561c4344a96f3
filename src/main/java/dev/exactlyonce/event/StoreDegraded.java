package dev.exactlyonce.event;

import java.time.Instant;

/**
 * A guarantee became weaker than configured, or the reason shown was replaced by a worse or another one.
 *
 * @param reason what is weaker than configured
 * @param since when it began, by the clock of this replica
 * @param hint what to check; names settings, never their values
 * @since 0.1
 */
public record StoreDegraded(String reason, Instant since, String hint) implements DurabilityEvent {}
