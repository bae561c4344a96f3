package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.MachineClocks.SinceBoot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FileClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Duration wallAhead = Duration.ZERO;
    private Duration passed = Duration.ZERO;
    private Duration suspended = Duration.ZERO;
    private String boot = "boot-1";
    private Duration bootedAt = Duration.ofDays(-3);

    /** Of a process that starts now. */
    private MachineClocks machine() {
        long origin = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos() - ticked();
        return new MachineClocks(() -> START.plus(passed).plus(wallAhead), () -> origin + ticked(), this::sinceBoot);
    }

    private long ticked() {
        return passed.minus(suspended).toNanos();
    }

    private Optional<SinceBoot> sinceBoot() {
        return boot.isEmpty() ? Optional.empty() : Optional.of(new SinceBoot(boot, passed.minus(bootedAt)));
    }

    private void pass(Duration time) {
        passed = passed.plus(time);
    }

    private void assertTime(FileClock clock, Duration sinceStart) {
        assertThat(clock.millis() - START.toEpochMilli())
                .isEqualTo(TimeUnit.NANOSECONDS.toMillis(sinceStart.toNanos()));
    }

    @Test
    void aNewFileBeginsAtTheWallClocksTime() {
        pass(Duration.ofMinutes(5));
        assertTime(FileClock.continuing(Optional.empty(), machine()), Duration.ofMinutes(5));
    }

    @Test
    void settingTheWallClockMovesNothing() {
        FileClock clock = FileClock.continuing(Optional.empty(), machine());
        wallAhead = Duration.ofDays(2);
        pass(Duration.ofSeconds(3));
        assertTime(clock, Duration.ofSeconds(3));
        wallAhead = Duration.ofHours(-6);
        pass(Duration.ofSeconds(3));
        assertTime(clock, Duration.ofSeconds(6));
    }

    @Test
    void aRestartedProcessContinuesByTheTimeSinceTheMachinesStart() {
        FileClock.Saved saved =
                FileClock.continuing(Optional.empty(), machine()).now();
        wallAhead = Duration.ofDays(2);
        pass(Duration.ofMinutes(1));
        assertTime(FileClock.continuing(Optional.of(saved), machine()), Duration.ofMinutes(1));
    }

    @Test
    void processesThatStartedOnBothSidesOfAJumpAgree() {
        FileClock.Saved saved =
                FileClock.continuing(Optional.empty(), machine()).now();
        FileClock one = FileClock.continuing(Optional.of(saved), machine());
        wallAhead = Duration.ofHours(-6);
        pass(Duration.ofSeconds(10));
        FileClock other = FileClock.continuing(Optional.of(saved), machine());
        pass(Duration.ofSeconds(10));
        assertThat(other.millis()).isEqualTo(one.millis());
    }

    @Test
    void afterARestartOfTheMachineTheWallClockTellsHowLongItTook() {
        FileClock clock = FileClock.continuing(Optional.empty(), machine());
        wallAhead = Duration.ofDays(2);
        FileClock.Saved saved = clock.now();
        pass(Duration.ofMinutes(7));
        boot = "boot-2";
        bootedAt = passed.minusSeconds(20);
        assertTime(FileClock.continuing(Optional.of(saved), machine()), Duration.ofMinutes(7));
    }

    @Test
    void aWallClockThatWasSetBackOverARestartEndsNothingEarlier() {
        FileClock.Saved saved =
                FileClock.continuing(Optional.empty(), machine()).now();
        boot = "boot-2";
        wallAhead = Duration.ofDays(-400);
        assertTime(FileClock.continuing(Optional.of(saved), machine()), Duration.ZERO);
    }

    @Test
    void whereTheSystemDoesNotTellItsStartTheWallClockCountsBetweenProcesses() {
        boot = "";
        FileClock.Saved saved =
                FileClock.continuing(Optional.empty(), machine()).now();
        pass(Duration.ofMinutes(3));
        assertTime(FileClock.continuing(Optional.of(saved), machine()), Duration.ofMinutes(3));
    }

    @Test
    void theTimeThatAMachineWasSuspendedCounts() {
        FileClock clock = FileClock.continuing(Optional.empty(), machine());
        pass(Duration.ofHours(2));
        suspended = Duration.ofHours(2);
        assertTime(clock, Duration.ZERO);
        clock.catchUp();
        assertTime(clock, Duration.ofHours(2));
        clock.catchUp();
        assertTime(clock, Duration.ofHours(2));
    }

    @Test
    void aMomentIsSavedAgainAfterTheWallClockWasSetAndAfterARestartOfTheMachine() {
        FileClock clock = FileClock.continuing(Optional.empty(), machine());
        FileClock.Saved saved = clock.now();
        pass(Duration.ofDays(1));
        assertThat(clock.isOutdated(saved, clock.now())).isFalse();
        wallAhead = Duration.ofSeconds(2);
        assertThat(clock.isOutdated(saved, clock.now())).isTrue();
        wallAhead = Duration.ZERO;
        boot = "boot-2";
        assertThat(clock.isOutdated(saved, clock.now())).isTrue();
    }
}
