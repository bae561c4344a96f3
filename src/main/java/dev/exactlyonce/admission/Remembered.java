package dev.exactlyonce.admission;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import java.time.Duration;

/**
 * A record that this replica still knows.
 *
 * @param claim the claim that was recorded
 * @param answer what was recorded, as far as it is still held
 * @param left how much of its TTL is left
 */
public record Remembered(Claim claim, RecordedAnswer answer, Duration left) {}
