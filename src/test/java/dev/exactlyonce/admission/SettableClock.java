package dev.exactlyonce.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves when a test says so. Thread-safe. */
public final class SettableClock implements InstantSource {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile Instant now = START;

    @Override
    public Instant instant() {
        return now;
    }

    /** The same clock as a ticker. */
    public long nanos() {
        return Duration.between(START, now).toNanos();
    }

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }
}
