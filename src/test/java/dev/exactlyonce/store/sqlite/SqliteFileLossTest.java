package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.OutageTexts;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.sqlite.FileLoss;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.testkit.SettableClock;
import dev.exactlyonce.testkit.StoreFuzzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What other programs do to the file of a store that is open. */
@Timeout(180)
class SqliteFileLossTest {
    private static final Duration TTL = Duration.ofHours(24);
    private static final RecordedAnswer DONE = RecordedAnswer.of(200);

    /** Done from outside this process where the same file is written: closing it here would end SQLite's locks. */
    enum Damage {
        REMOVED(FileLoss.REMOVED) {
            @Override
            void to(Path file) throws Exception {
                Files.delete(file);
            }
        },
        REPLACED_BY_RENAMING(FileLoss.REMOVED) {
            @Override
            void to(Path file) throws Exception {
                Files.move(otherDatabase(file), file, StandardCopyOption.REPLACE_EXISTING);
            }
        },
        LOG_REMOVED(FileLoss.REMOVED) {
            @Override
            void to(Path file) throws Exception {
                Files.delete(file.resolveSibling(file.getFileName() + "-wal"));
            }
        },
        INDEX_REMOVED(FileLoss.REMOVED) {
            @Override
            void to(Path file) throws Exception {
                Files.delete(file.resolveSibling(file.getFileName() + "-shm"));
            }
        },
        LOG_TRUNCATED(FileLoss.TRUNCATED) {
            @Override
            void to(Path file) throws Exception {
                run("truncate", "-s", "0", file + "-wal");
            }
        },
        TRUNCATED(FileLoss.TRUNCATED) {
            @Override
            void to(Path file) throws Exception {
                run("truncate", "-s", "0", file.toString());
            }
        },
        OVERWRITTEN_BY_TEXT(FileLoss.OVERWRITTEN) {
            @Override
            void to(Path file) throws Exception {
                Path text = file.resolveSibling("text");
                Files.writeString(text, "no database\n".repeat(10_000));
                run("cp", text.toString(), file.toString());
            }
        },
        OVERWRITTEN_BY_A_DATABASE(FileLoss.OVERWRITTEN) {
            @Override
            void to(Path file) throws Exception {
                run("cp", otherDatabase(file).toString(), file.toString());
            }
        };

        final FileLoss loss;

        Damage(FileLoss loss) {
            this.loss = loss;
        }

        abstract void to(Path file) throws Exception;

        private static Path otherDatabase(Path file) throws Exception {
            Path other = file.resolveSibling("other.db");
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + other);
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("CREATE TABLE other (text TEXT)");
                statement.executeUpdate("INSERT INTO other VALUES (hex(zeroblob(200000)))");
            }
            return other;
        }

        static void run(String... command) throws Exception {
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                    .isZero();
        }
    }

    private final Queue<FileLoss> losses = new ConcurrentLinkedQueue<>();
    private final DegradedFacts facts = new DegradedFacts(InstantSource.system(), event -> {});

    @TempDir
    Path folder;

    private SqliteStore store;
    private StoreGuard guard;

    private Path file() {
        return folder.resolve("keys.db");
    }

    private SqliteStore open(InstantSource clock) {
        return open(clock, Duration.ofMillis(200));
    }

    private SqliteStore open(InstantSource clock, Duration checkedEvery) {
        return new SqliteStore(
                new SqliteSettings(file(), Duration.ofSeconds(30)),
                MachineClocks.following(clock),
                loss -> {
                    losses.add(loss);
                    guard.backfill();
                },
                checkedEvery);
    }

    private void openGuarded() {
        openGuarded(Duration.ofMillis(200));
    }

    private void openGuarded(Duration checkedEvery) {
        store = open(InstantSource.system(), checkedEvery);
        guard = new StoreGuard(store, new OutageTexts("file away", "hint", "memory"), facts, System::nanoTime);
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    private static Claim claim(String part) {
        return Claim.fresh(
                DeliveryKey.of("github", "POST /hooks", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(15));
    }

    /** Enough that the identity of the file has moved from the log to the file itself. */
    private void moveLogIntoFile() throws Exception {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(FULL)");
        }
    }

    /** At the writer's next check of the file. */
    private void awaitLoss(FileLoss expected) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> {
                    store.probe();
                    return !losses.isEmpty();
                });
        assertThat(losses).containsOnly(expected);
    }

    @ParameterizedTest
    @EnumSource
    void whatThisReplicaRemembersIsWrittenAgainAndItsClaimsAreRenewed(Damage damage) throws Exception {
        openGuarded();
        List<Claim> done =
                IntStream.range(0, 100).mapToObj(it -> claim("done-" + it)).toList();
        done.forEach(it -> {
            assertThat(guard.reserve(it)).isInstanceOf(Reservation.Granted.class);
            guard.record(it, DONE, TTL);
        });
        Claim running = claim("running");
        assertThat(guard.reserve(running)).isInstanceOf(Reservation.Granted.class);
        moveLogIntoFile();
        store.probe();
        damage.to(file());
        awaitLoss(damage.loss);

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            guard.tick(
                    () -> done.stream()
                            .map(it -> LocalEntry.recorded(it, DONE, TTL, System.nanoTime()))
                            .toList(),
                    () -> assertThat(store.renewAll(List.of(running))).containsOnly(Renewal.HELD));
            try (SqliteStore restarted =
                    new SqliteStore(new SqliteSettings(file(), Duration.ofSeconds(30)), InstantSource.system())) {
                assertThat(done)
                        .allSatisfy(it -> assertThat(restarted.find(it.key()))
                                .get()
                                .isInstanceOf(Reservation.AlreadyRecorded.class));
                assertThat(restarted.find(running.key())).get().isInstanceOf(Reservation.AlreadyClaimed.class);
            }
        });
        assertThat(losses).hasSize(1);
    }

    @Test
    void whatIsNoSoundDatabaseAnyMoreKeepsItsContentUnderAnotherName() throws Exception {
        openGuarded();
        guard.reserve(claim("k"));
        moveLogIntoFile();
        store.probe();
        Damage.OVERWRITTEN_BY_TEXT.to(file());
        awaitLoss(FileLoss.OVERWRITTEN);

        await().untilAsserted(() -> assertThat(names()).anyMatch(it -> it.matches("keys\\.db\\.damaged-[0-9]+")));
    }

    @Test
    void aSoundDatabaseThatWasPutInPlaceIsUsedAndNotMixedWithTheOldLog() throws Exception {
        openGuarded();
        guard.reserve(claim("k"));
        Path backup = folder.resolve("backup.db");
        try (SqliteStore other =
                new SqliteStore(new SqliteSettings(backup, Duration.ofSeconds(30)), InstantSource.system())) {
            other.record(claim("of the backup"), DONE, TTL);
        }
        Files.move(backup, file(), StandardCopyOption.REPLACE_EXISTING);
        awaitLoss(FileLoss.REMOVED);

        assertThat(store.find(claim("of the backup").key())).get().isInstanceOf(Reservation.AlreadyRecorded.class);
        assertThat(names()).noneMatch(it -> it.matches("keys\\.db\\.damaged-[0-9]+"));
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(it -> it.getFileName().toString()).toList();
        }
    }

    @Test
    void anotherProcessThatUsesTheFileIsNoLoss() throws Exception {
        openGuarded();
        guard.reserve(claim("k"));
        for (int i = 0; i < 3; i++) {
            try (SqliteStore other =
                    new SqliteStore(new SqliteSettings(file(), Duration.ofSeconds(30)), InstantSource.system())) {
                for (int j = 0; j < 50; j++) {
                    other.record(claim(i + "-" + j), DONE, TTL);
                }
                moveLogIntoFile();
            }
            store.probe();
        }
        await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(20)).until(() -> {
            store.probe();
            return losses.isEmpty();
        });
        assertThat(store.find(claim("2-49").key())).get().isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void noAnswerAfterALossIsWrong() throws Exception {
        SettableClock clock = new SettableClock();
        store = open(clock);
        guard = new StoreGuard(store, new OutageTexts("file away", "hint", "memory"), facts, System::nanoTime);
        List<Damage> damages = List.of(Damage.REMOVED, Damage.TRUNCATED, Damage.LOG_REMOVED);
        for (int round = 0; round < damages.size(); round++) {
            String prefix = "round-" + round + "-";
            new StoreFuzzer(List.of(store), clock, StoreFuzzer.Plan.plan(20, 2_000)) {
                @Override
                protected String name(int key) {
                    return prefix + key;
                }
            }.run();
            moveLogIntoFile();
            store.probe();
            losses.clear();
            damages.get(round).to(file());
            awaitLoss(damages.get(round).loss);
        }
    }

    private Claim recorded(String part) {
        Claim claim = claim(part);
        assertThat(store.record(claim, DONE, TTL)).isInstanceOf(Recording.Written.class);
        return claim;
    }

    private void execute(String sql) throws SQLException {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute(sql);
        }
    }

    /** Deliveries at every moment, so that no look finds the file at rest. */
    private void awaitLossWhileDeliveriesArrive(FileLoss expected) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> {
                    recorded("later-" + System.nanoTime());
                    return !losses.isEmpty();
                });
        assertThat(losses).containsOnly(expected);
    }

    /** Several checks of the writer. */
    private void awaitLooksWithoutLoss() {
        await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(30)).until(() -> {
            recorded("at-" + System.nanoTime());
            return losses.isEmpty();
        });
    }

    @Test
    void aLogThatIsTruncatedWhileDeliveriesArriveCostsNothingThatWasInTheFile() throws Exception {
        openGuarded();
        List<Claim> before =
                IntStream.range(0, 200).mapToObj(it -> recorded("done-" + it)).toList();
        moveLogIntoFile();
        recorded("in the log");
        store.probe();
        Damage.LOG_TRUNCATED.to(file());
        awaitLossWhileDeliveriesArrive(FileLoss.TRUNCATED);

        store.close();
        store = open(InstantSource.system());
        assertThat(before)
                .allSatisfy(
                        it -> assertThat(store.find(it.key())).get().isInstanceOf(Reservation.AlreadyRecorded.class));
        assertThat(names()).noneMatch(it -> it.matches("keys\\.db\\.damaged-[0-9]+"));
    }

    @Test
    void whatAnotherProgramPutInPlaceIsNotMixedWithTheLog() throws Exception {
        openGuarded();
        for (int i = 0; i < 200; i++) {
            recorded("done-" + i);
        }
        moveLogIntoFile();
        recorded("in the log");
        store.probe();
        Damage.OVERWRITTEN_BY_A_DATABASE.to(file());
        awaitLossWhileDeliveriesArrive(FileLoss.OVERWRITTEN);

        recorded("after");
        store.close();
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = other.createStatement()) {
            try (ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
                assertThat(row.getString(1)).isEqualTo("ok");
            }
            try (ResultSet row = statement.executeQuery("SELECT count(*) FROM other")) {
                assertThat(row.getInt(1)).isEqualTo(1);
            }
        }
        assertThat(names()).anyMatch(it -> it.matches("keys\\.db-wal\\.damaged-[0-9]+"));
    }

    @Test
    void whatAnotherProgramPutInPlaceRightBeforeTheStopIsLeftAlone() throws Exception {
        openGuarded(Duration.ofHours(1)); // the stop comes before the next check
        for (int i = 0; i < 200; i++) {
            recorded("done-" + i);
        }
        moveLogIntoFile();
        recorded("in the log");
        Damage.OVERWRITTEN_BY_A_DATABASE.to(file());
        store.close();

        assertThat(Files.mismatch(file(), folder.resolve("other.db"))).isEqualTo(-1);
    }

    @Test
    void aDamagedHeaderIsRepairedFromTheLogThatHoldsIt() throws Exception {
        openGuarded();
        List<Claim> before =
                IntStream.range(0, 200).mapToObj(it -> recorded("done-" + it)).toList();
        awaitLooksWithoutLoss();
        Damage.run("dd", "if=/dev/urandom", "of=" + file(), "bs=100", "count=1", "conv=notrunc", "status=none");
        awaitLossWhileDeliveriesArrive(FileLoss.OVERWRITTEN);

        assertThat(before)
                .allSatisfy(
                        it -> assertThat(store.find(it.key())).get().isInstanceOf(Reservation.AlreadyRecorded.class));
        assertThat(names()).noneMatch(it -> it.matches("keys\\.db\\.damaged-[0-9]+"));
    }

    @Test
    void anOlderCopyOfTheFileIsNoticedWhileDeliveriesArrive() throws Exception {
        openGuarded();
        Claim old = recorded("old");
        moveLogIntoFile();
        Path backup = folder.resolve("backup.db");
        Damage.run("cp", file().toString(), backup.toString());
        for (int i = 0; i < 50; i++) {
            recorded("new-" + i);
        }
        moveLogIntoFile();
        Damage.run("truncate", "-s", Long.toString(Files.size(file())), backup.toString());
        awaitLooksWithoutLoss();
        Damage.run("cp", backup.toString(), file().toString());
        awaitLossWhileDeliveriesArrive(FileLoss.OVERWRITTEN);

        assertThat(store.find(old.key())).get().isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"})
    void whatAnotherConnectionDoesByWayOfSqliteIsNoLoss(String sql) throws Exception {
        openGuarded();
        List<Claim> released =
                IntStream.range(0, 500).mapToObj(it -> claim("released-" + it)).toList();
        released.forEach(store::reserve);
        released.forEach(store::release);
        Claim kept = recorded("kept");
        moveLogIntoFile();
        store.probe();
        execute(sql);
        moveLogIntoFile();
        awaitLooksWithoutLoss();
        assertThat(store.find(kept.key())).get().isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void aFileThatIsReplacedWhileItCannotBeUsedIsALoss() throws Exception {
        openGuarded();
        recorded("before");
        moveLogIntoFile();
        store.close();
        Files.writeString(file(), "no database\n".repeat(10_000));
        store = open(InstantSource.system());
        assertThatThrownBy(store::probe).isInstanceOf(StoreUnavailableException.class);
        Files.delete(file());

        awaitLoss(FileLoss.REMOVED);
    }
}
