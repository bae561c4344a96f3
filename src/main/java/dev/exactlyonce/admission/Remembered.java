package dev.exactlyonce.admission;

import java.time.Duration;

/**
 * A record that this replica still knows.
 *
 * @param claim the claim that was recorded
 * @param status the handler's status
 * @param left how much of its TTL is left
 */
public record Remembered(Claim claim, int status, Duration left) {}
