package dev.exactlyonce.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The clocks of this machine: the wall clock, which can be set, and those that only move forward.
 *
 * @param wall the time of day
 * @param ticker nanoseconds of a clock that only moves forward, comparable within this process alone
 * @param sinceBoot the time since the machine started, comparable between its processes; empty where the system does not
 *     provide it
 */
public record MachineClocks(InstantSource wall, LongSupplier ticker, Supplier<Optional<SinceBoot>> sinceBoot) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path UPTIME = Path.of("/proc/uptime");

    /**
     * A time since the machine started, including the time during which it was suspended.
     *
     * @param boot differs between two starts of the machine
     */
    public record SinceBoot(String boot, Duration elapsed) {}

    /** This machine's own; the time since its start is known on Linux. */
    public static MachineClocks system() {
        return new MachineClocks(InstantSource.system(), System::nanoTime, MachineClocks::readSinceBoot);
    }

    /** Of a machine whose wall clock is never set: every clock follows this one. */
    public static MachineClocks following(InstantSource clock) {
        return new MachineClocks(
                clock,
                () -> {
                    Instant now = clock.instant();
                    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
                },
                Optional::empty);
    }

    /** See proc(5): the seconds since the start, with two decimals, and a blank. */
    private static Optional<SinceBoot> readSinceBoot() {
        try {
            String boot = Files.readString(BOOT_ID).strip();
            String uptime = Files.readString(UPTIME);
            double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            return boot.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new SinceBoot(boot, Duration.ofMillis(Math.round(seconds * 1_000))));
        } catch (IOException | RuntimeException notProvided) {
            return Optional.empty();
        }
    }
}
