package dev.exactlyonce.guard;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.MachineClocks.SinceBoot;
import java.time.Duration;

/**
 * Notices that the machine's wall clock was set, and says so while it stays wrong, at most for an hour: what has lasted that
 * long counts as right. Leases and records of the embedded stores are judged by time that passes and are not affected;
 * signed times, and stores and replicas on other machines, are. Not thread-safe: the background's own.
 */
public final class ClockWatch {
    /** More than what time synchronisation corrects step by step. */
    private static final Duration LEAST_JUMP = Duration.ofSeconds(5);

    private static final Duration LONGEST = Duration.ofHours(1);

    private final MachineClocks machine;
    private final DegradedFacts facts;
    private final long begunAt;
    private Duration offset;
    private long jumpedAt;
    private boolean hasJumped;

    public ClockWatch(MachineClocks machine, DegradedFacts facts) {
        this.machine = machine;
        this.facts = facts;
        this.begunAt = machine.ticker().getAsLong();
        this.offset = offset();
    }

    /** What the wall clock is ahead of the time that has passed, counted from a moment that stays the same. */
    private Duration offset() {
        Duration passed = machine.sinceBoot()
                .get()
                .map(SinceBoot::elapsed)
                .orElseGet(() -> Duration.ofNanos(machine.ticker().getAsLong() - begunAt));
        return Duration.ofMillis(machine.wall().millis()).minus(passed);
    }

    /** To be called about once a second. */
    public void look() {
        Duration now = offset();
        boolean isOff = now.minus(offset).abs().compareTo(LEAST_JUMP) >= 0;
        if (isOff && !hasJumped) {
            hasJumped = true;
            jumpedAt = machine.ticker().getAsLong();
            facts.raise(
                    DegradedFacts.FactKind.CLOCK_JUMPED,
                    "clock jumped",
                    "check the time synchronisation of this machine; signed times are judged by its clock, leases and"
                            + " records of sqlite and memory are not");
        } else if (hasJumped && (!isOff || hasLasted())) {
            hasJumped = false;
            offset = now;
            facts.clear(DegradedFacts.FactKind.CLOCK_JUMPED);
        }
    }

    private boolean hasLasted() {
        return machine.ticker().getAsLong() - jumpedAt >= LONGEST.toNanos();
    }
}
