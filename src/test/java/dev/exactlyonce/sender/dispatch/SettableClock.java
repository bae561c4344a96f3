package dev.exactlyonce.sender.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** A clock that a test sets, as instants and as nanoseconds. */
public final class SettableClock implements InstantSource, LongSupplier {
    public static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public long getAsLong() {
        return Duration.between(START, now.get()).toNanos();
    }

    public void pass(Duration time) {
        now.updateAndGet(it -> it.plus(time));
    }

    public Duration passed() {
        return Duration.between(START, now.get());
    }
}
