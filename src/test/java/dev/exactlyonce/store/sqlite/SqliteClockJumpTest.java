package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.MachineClocks.SinceBoot;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.testkit.SettableClock;
import dev.exactlyonce.testkit.StoreFuzzer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SqliteClockJumpTest {
    private static final Duration TTL = Duration.ofHours(24);
    private static final Duration LEASE = Duration.ofMinutes(15);

    private final SettableClock passed = new SettableClock();
    private volatile Duration ahead = Duration.ZERO;

    @TempDir
    Path folder;

    /** Of one process after another, or of two at once, on a machine that is not restarted. */
    private SqliteStore open() {
        long origin = new Random().nextLong();
        MachineClocks machine = new MachineClocks(
                () -> passed.instant().plus(ahead),
                () -> origin + passed.getAsLong(),
                () -> Optional.of(
                        new SinceBoot("boot", Duration.ofNanos(passed.instant().toEpochMilli() * 1_000_000))));
        return new SqliteStore(
                new SqliteSettings(folder.resolve("keys.db"), Duration.ofSeconds(30)), machine, loss -> {});
    }

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /hooks", List.of(part)), Fingerprint.NONE, LEASE);
    }

    private static void record(SqliteStore store, String part) {
        Claim mine = claim(part);
        assertThat(store.reserve(mine)).isInstanceOf(Reservation.Granted.class);
        store.record(mine, RecordedAnswer.of(200), TTL);
    }

    /** Twice, since what the first one found expired would be purged by the second one's time. */
    private static void awaitUpkeep(SqliteStore store) {
        AtomicInteger purges = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(600)).until(() -> {
            store.probe();
            return purges.incrementAndGet() > 3;
        });
    }

    @Test
    void aWallClockTwoDaysAheadPurgesNoRecord() {
        try (SqliteStore store = open()) {
            for (int i = 0; i < 150; i++) {
                record(store, "k" + i);
            }
            ahead = Duration.ofDays(2);
            awaitUpkeep(store);
            ahead = Duration.ZERO;
            for (int i = 0; i < 150; i++) {
                assertThat(store.reserve(claim("k" + i))).isInstanceOf(Reservation.AlreadyRecorded.class);
            }
        }
    }

    @Test
    void aWallClockTwoDaysAheadPurgesNoRecordOfARestartedProcess() {
        try (SqliteStore store = open()) {
            record(store, "k");
        }
        ahead = Duration.ofDays(2);
        try (SqliteStore store = open()) {
            assertThat(store.reserve(claim("k"))).isInstanceOf(Reservation.AlreadyRecorded.class);
        }
    }

    @Test
    void aWallClockSixHoursBackHoldsNoClaimPastItsLease() {
        try (SqliteStore store = open()) {
            assertThat(store.reserve(claim("k"))).isInstanceOf(Reservation.Granted.class);
            ahead = Duration.ofHours(-6);
            assertThat(store.reserve(claim("k"))).isInstanceOf(Reservation.AlreadyClaimed.class);
            passed.advance(LEASE);
            assertThat(store.reserve(claim("k"))).isInstanceOf(Reservation.Granted.class);
        }
    }

    @Test
    void noAnswerOfTwoProcessesIsWrongWhileTheWallClockJumps() throws Exception {
        AtomicInteger jumps = new AtomicInteger();
        try (SqliteStore one = open();
                SqliteStore two = open()) {
            record(one, "opened"); // each has read what the file keeps of its clock
            ahead = Duration.ofDays(-1);
            record(two, "opened, too");
            new StoreFuzzer(List.of(one, two), passed, StoreFuzzer.Plan.plan(20, 4_000)) {
                @Override
                protected void disturb(long operation, Random random) {
                    if (operation % 100 == 0) {
                        ahead = Duration.ofSeconds(random.nextInt(2 * 172_800) - 172_800L);
                        jumps.incrementAndGet();
                    }
                }
            }.run();
        }
        assertThat(jumps).hasValueGreaterThan(20);
    }
}
