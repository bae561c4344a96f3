package dev.exactlyonce.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.testkit.StoreFuzzer;
import dev.exactlyonce.testkit.StoreFuzzer.Plan;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The database keeps time by itself, so the judge gets the wall clock and the time that was let pass. */
@Timeout(300)
class JdbcStoreFuzzTest {
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private final KeyDatabase database = KeyDatabase.fresh();
    private final AtomicLong shiftedMillis = new AtomicLong();
    private final InstantSource clock = () -> Instant.ofEpochMilli(System.currentTimeMillis() + shiftedMillis.get());

    private final class Fuzzer extends StoreFuzzer {
        Fuzzer(List<JdbcStore> stores, Plan plan) {
            super(stores, clock, plan);
        }

        @Override
        protected void letPass(Duration time) {
            database.letPass(time);
            shiftedMillis.addAndGet(time.toMillis());
        }

        @Override
        protected Duration blur() {
            return Duration.ofMillis(1);
        }
    }

    @Test
    void noAnswerOfTwoStoresInOneDatabaseIsWrong() throws Exception {
        fuzz(Plan.plan(20, 8_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void noAnswerIsWrongInAStricterIsolation(String isolation) throws Exception {
        database.execute("ALTER DATABASE postgres SET default_transaction_isolation = '" + isolation + "'");
        database.reconnect();
        fuzz(Plan.plan(20, 2_000));
    }

    private void fuzz(Plan plan) throws Exception {
        try (JdbcStore one = database.store(PATIENT);
                JdbcStore two = database.store(PATIENT)) {
            one.probe();
            StoreFuzzer fuzzer = new Fuzzer(List.of(one, two), plan);
            fuzzer.run();
            assertThat(fuzzer.answered()).isGreaterThan(plan.operations() * 9L / 10);
        }
    }
}
