package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.common.MachineClocks.SinceBoot;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.testkit.SettableClock;
import dev.exactlyonce.testkit.StoreFuzzer;
import dev.exactlyonce.testkit.StoreFuzzer.Plan;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreFuzzTest {
    private final SettableClock clock = new SettableClock();

    @TempDir
    Path folder;

    private SqliteStore open(Duration timeout) {
        return new SqliteStore(new SqliteSettings(folder.resolve("keys.db"), timeout), clock);
    }

    @Test
    void noAnswerOfOneStoreIsWrong() throws Exception {
        try (SqliteStore store = open(Duration.ofSeconds(30))) {
            StoreFuzzer fuzzer = new StoreFuzzer(List.of(store), clock, Plan.SHORT);
            fuzzer.run();

            assertThat(fuzzer.answered()).isEqualTo(Plan.SHORT.operations());
        }
    }

    @Test
    void noAnswerOfTwoStoresOnOneFileIsWrong() throws Exception {
        Plan plan = Plan.plan(20, 4_000);
        try (SqliteStore one = open(Duration.ofSeconds(30));
                SqliteStore two = open(Duration.ofSeconds(30))) {
            new StoreFuzzer(List.of(one, two), clock, plan).run();
        }
    }

    @Test
    void noAnswerIsWrongWhileTheFileIsLockedNowAndThen() throws Exception {
        Plan plan = Plan.plan(20, 4_000);
        AtomicInteger locks = new AtomicInteger();
        try (SqliteStore store = open(Duration.ofMillis(20));
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("keys.db"));
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            StoreFuzzer fuzzer = new StoreFuzzer(List.of(store), clock, plan) {
                private boolean locked;

                @Override
                protected synchronized void disturb(long operation, Random random) throws Exception {
                    if (!locked && operation % 400 == 100) {
                        statement.execute("BEGIN IMMEDIATE");
                        locked = true;
                        locks.incrementAndGet();
                    } else if (locked && operation % 400 >= 150) {
                        statement.execute("ROLLBACK");
                        locked = false;
                    }
                }
            };
            fuzzer.run();

            assertThat(locks).hasValueGreaterThan(5);
            assertThat(fuzzer.answered()).isPositive().isLessThan(plan.operations());
        }
    }

    /** What another program does to the files, each of which may cost any of the keys. */
    private static final List<String> LOSSES = List.of(
            "rm keys.db",
            "truncate -s 0 keys.db",
            "truncate -s 0 keys.db-wal",
            "rm keys.db-wal",
            "cp other.db keys.db");

    /** Two processes on one file, on a machine that is not restarted and whose wall clock is set at will. */
    @Test
    void noAnswerIsWrongWhileTheWallClockJumpsAndTheFileIsLostNowAndThen() throws Exception {
        Plan plan = Plan.plan(20, 3_000);
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        AtomicInteger noticed = new AtomicInteger();
        MachineClocks machine =
                new MachineClocks(() -> clock.instant().plus(ahead.get()), clock, () -> Optional.of(sinceBoot()));
        makeAnotherDatabase();
        SqliteSettings file = new SqliteSettings(folder.resolve("keys.db"), Duration.ofSeconds(30));
        try (SqliteStore one = new SqliteStore(file, machine, loss -> noticed.incrementAndGet());
                SqliteStore two = new SqliteStore(file, machine, loss -> noticed.incrementAndGet())) {
            new StoreFuzzer(List.of(one, two), clock, plan) {
                private int losses;

                @Override
                protected void disturb(long operation, Random random) {
                    if (operation % 100 == 0) {
                        ahead.set(Duration.ofSeconds(random.nextInt(2 * 172_800) - 172_800L));
                    }
                }

                @Override
                protected boolean isToLose(long operation) {
                    return operation % 600 == 300;
                }

                @Override
                protected void lose(Random random) throws Exception {
                    moveLogIntoFile(); // while the log holds every page, it repairs the file, and nothing is lost
                    String loss = LOSSES.get(losses++ % LOSSES.size());
                    Process process = new ProcessBuilder(loss.split(" "))
                            .directory(folder.toFile())
                            .inheritIO()
                            .start();
                    assertThat(process.waitFor()).as(loss).isZero();
                    await().during(Duration.ofMillis(2_500)) // each store has looked at the file
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> works(one) && works(two));
                }
            }.run();

            assertThat(noticed).hasValueGreaterThanOrEqualTo(LOSSES.size());
        }
    }

    private static boolean works(SqliteStore store) {
        try {
            store.probe();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private void moveLogIntoFile() throws Exception {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("keys.db"));
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(FULL)");
        }
    }

    private SinceBoot sinceBoot() {
        return new SinceBoot("boot", Duration.ofMillis(clock.millis()));
    }

    private void makeAnotherDatabase() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("other.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE other (text TEXT)");
            statement.executeUpdate("INSERT INTO other VALUES (hex(zeroblob(200000)))");
        }
    }
}
