package dev.exactlyonce.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** A wall clock and a ticker that move together, and only when told to. */
final class SettableTime implements InstantSource, LongSupplier {
    /** So that the ticker overflows soon: nanoTime promises no origin. */
    private static final long ORIGIN = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos();

    private volatile Duration elapsed = Duration.ZERO;

    synchronized void pass(Duration more) {
        elapsed = elapsed.plus(more);
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plus(elapsed);
    }

    @Override
    public long getAsLong() {
        return ORIGIN + elapsed.toNanos();
    }
}
