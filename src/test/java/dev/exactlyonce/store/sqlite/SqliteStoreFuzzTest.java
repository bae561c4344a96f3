package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.SettableClock;
import dev.exactlyonce.admission.StoreFuzzer;
import dev.exactlyonce.admission.StoreFuzzer.Plan;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
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
}
