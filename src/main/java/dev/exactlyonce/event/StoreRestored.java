package dev.exactlyonce.event;

import java.time.Instant;

/**
 * Every guarantee is as configured again.
 *
 * @param reason what was weaker than configured last
 * @param since when that began, by the clock of this replica
 * @param hint what was to be checked
 * @since 0.1
 */
public record StoreRestored(String reason, Instant since, String hint) implements DurabilityEvent {}
