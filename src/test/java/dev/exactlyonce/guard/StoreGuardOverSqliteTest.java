package dev.exactlyonce.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StoreGuardOverSqliteTest {
    @TempDir
    Path folder;

    @Test
    void aFileLockedByAnotherDegradesAndWhatWasOwedIsInTheFileAfterwards() throws Exception {
        Path file = folder.resolve("keys.db");
        DegradedFacts facts = new DegradedFacts(InstantSource.system(), event -> {});
        try (SqliteStore store =
                        new SqliteStore(new SqliteSettings(file, Duration.ofMillis(500)), InstantSource.system());
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            StoreGuard guard =
                    new StoreGuard(store, new OutageTexts("file away", "hint", "memory"), facts, System::nanoTime);
            Claim mine = claim("k");
            await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(() -> assertThat(guard.reserve(mine)).isInstanceOf(Reservation.Granted.class));

            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute("BEGIN IMMEDIATE");
            assertThat(guard.record(mine, RecordedAnswer.of(202), Duration.ofHours(1)))
                    .isInstanceOf(Recording.Pending.class);
            assertThatThrownBy(() -> guard.reserve(claim("other"))).isInstanceOf(StoreUnavailableException.class);
            guard.flushPending();
            assertThat(facts.current()).map(DegradedFact::reason).contains("file away");
            statement.execute("ROLLBACK");

            await().untilAsserted(() -> {
                guard.flushPending();
                assertThat(facts.current()).isEmpty();
            });
            assertThat(store.reserve(claim("k")))
                    .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(202)));
        }
    }

    private static Claim claim(String part) {
        return Claim.fresh(
                DeliveryKey.of("github", "POST /hooks", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(15));
    }
}
