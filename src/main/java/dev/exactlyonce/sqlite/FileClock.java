package dev.exactlyonce.sqlite;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.MachineClocks.SinceBoot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The time by which the rows of a file are judged. It begins at the wall clock's time when the file is made, and advances
 * with the time that really passes: while the machine runs, by the time since its start, so that restarted and concurrent
 * processes agree; over a restart of the machine, by what the wall clock has advanced. Setting the wall clock thus ends no
 * lease or record early and prolongs none, but for what it is set during a restart of the machine, or between two processes
 * where the system does not tell the time since its start. Not thread-safe: the writer thread's own.
 */
final class FileClock implements InstantSource {
    /** Setting the wall clock by less than this is not worth a write: it is what the time may be off after a restart. */
    private static final long WORTH_SAVING_MILLIS = 1_000;

    /** Readings of the two clocks are taken one after the other. */
    private static final long SUSPENDED_MILLIS = 1_000;

    /** What the file keeps: one moment, by each of the clocks. */
    record Saved(String boot, long sinceBootMillis, long fileMillis, long wallMillis) {}

    private final MachineClocks machine;
    private final SinceBoot anchor;
    private final long anchorMillis;
    private final long anchorNanos;
    private long suspendedMillis;

    private FileClock(MachineClocks machine, SinceBoot anchor, long fileMillis) {
        this.machine = machine;
        this.anchor = anchor;
        this.anchorMillis = fileMillis;
        this.anchorNanos = machine.ticker().getAsLong();
    }

    /** @param saved nothing of a file that was just made, or that an earlier version made */
    static FileClock continuing(Optional<Saved> saved, MachineClocks machine) {
        SinceBoot now = sinceBoot(machine);
        long wallMillis = machine.wall().millis();
        long fileMillis = saved.map(it -> it.fileMillis() + elapsedSince(it, now, wallMillis))
                .orElse(wallMillis);
        return new FileClock(machine, now, fileMillis);
    }

    private static long elapsedSince(Saved saved, SinceBoot now, long wallMillis) {
        boolean isSameBoot = !now.boot().isEmpty() && now.boot().equals(saved.boot());
        return Math.max(
                0, isSameBoot ? now.elapsed().toMillis() - saved.sinceBootMillis() : wallMillis - saved.wallMillis());
    }

    private static SinceBoot sinceBoot(MachineClocks machine) {
        return machine.sinceBoot().get().orElse(new SinceBoot("", java.time.Duration.ZERO));
    }

    @Override
    public long millis() {
        return anchorMillis + tickedMillis() + suspendedMillis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    private long tickedMillis() {
        return (machine.ticker().getAsLong() - anchorNanos) / 1_000_000;
    }

    /** To be called about once a second: the process's own ticks stand still while the machine is suspended. */
    void catchUp() {
        SinceBoot now = sinceBoot(machine);
        if (anchor.boot().isEmpty() || !anchor.boot().equals(now.boot())) {
            return;
        }
        long behind = now.elapsed().minus(anchor.elapsed()).toMillis() - tickedMillis() - suspendedMillis;
        if (behind >= SUSPENDED_MILLIS) {
            suspendedMillis += behind;
        }
    }

    /** This moment. */
    Saved now() {
        SinceBoot now = sinceBoot(machine);
        return new Saved(
                now.boot(), now.elapsed().toMillis(), millis(), machine.wall().millis());
    }

    /** Whether what the file keeps would continue it wrongly: it is of another start, or the wall clock was set since. */
    boolean isOutdated(Saved saved, Saved now) {
        return !saved.boot().equals(now.boot())
                || Math.abs((now.wallMillis() - now.fileMillis()) - (saved.wallMillis() - saved.fileMillis()))
                        >= WORTH_SAVING_MILLIS;
    }
}
