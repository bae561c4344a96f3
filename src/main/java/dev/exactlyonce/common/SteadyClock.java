package dev.exactlyonce.common;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock that begins at the wall clock's time and then advances with the time that really passes: setting the wall clock
 * does not move it. Comparable within this process alone. Thread-safe.
 */
public final class SteadyClock implements InstantSource {
    private final Instant begun;
    private final long begunAt;
    private final LongSupplier ticker;

    public SteadyClock(MachineClocks machine) {
        this.ticker = machine.ticker();
        this.begunAt = ticker.getAsLong();
        this.begun = machine.wall().instant();
    }

    @Override
    public Instant instant() {
        return begun.plusNanos(ticker.getAsLong() - begunAt);
    }
}
