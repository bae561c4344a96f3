package dev.exactlyonce.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** A wall clock and a ticker that move together, and only when a test says so. Thread-safe. */
public final class SettableClock implements InstantSource, LongSupplier {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** So that the ticker overflows soon: {@link System#nanoTime} promises no origin. */
    private static final long ORIGIN = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos();

    private volatile Duration elapsed = Duration.ZERO;

    @Override
    public Instant instant() {
        return START.plus(elapsed);
    }

    @Override
    public long getAsLong() {
        return ORIGIN + elapsed.toNanos();
    }

    public synchronized void advance(Duration by) {
        elapsed = elapsed.plus(by);
    }
}
