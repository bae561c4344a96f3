package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.common.Digests;
import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.spi.StoredValue;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.testkit.FallbackStoreContract;
import dev.exactlyonce.testkit.Together;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SqliteStoreTest extends FallbackStoreContract {
    /** Long enough for a slow disk. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private static final Duration IMPATIENT = Duration.ofMillis(300);

    @TempDir
    Path folder;

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        return new SqliteStore(settings(PATIENT), clock);
    }

    private Path file() {
        return folder.resolve("keys.db");
    }

    private SqliteSettings settings(Duration timeout) {
        return new SqliteSettings(file(), timeout);
    }

    private void reopen(Duration timeout) {
        store.close();
        store = new SqliteStore(settings(timeout), clock);
    }

    private Connection plainConnection() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
        }
        return connection;
    }

    private void putByHand(Connection connection, String key, String value, Instant expiresAt) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO exactly_once (digest, key, value, expires_at_ms) VALUES (?, ?, ?, ?)")) {
            insert.setBytes(1, Arrays.copyOf(Digests.sha256(key), 16));
            insert.setString(2, key);
            insert.setString(3, value);
            insert.setLong(4, expiresAt.toEpochMilli());
            insert.executeUpdate();
        }
    }

    private int rows() throws SQLException {
        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM exactly_once")) {
            return row.getInt(1);
        }
    }

    private void assertRecovers(Claim claim) {
        await().atMost(PATIENT)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertGranted(claim));
    }

    @Test
    void aRecordSurvivesAReopening() {
        Claim mine = recorded("k");
        reopen(PATIENT);

        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aClaimInFlightSurvivesAReopeningAndEndsWithItsLease() {
        Claim mine = held("k");
        reopen(PATIENT);
        assertInFlight(rivalOf(mine));
        letPass(LEASE);

        assertGranted(rivalOf(mine));
    }

    @Test
    void anOwnerIsKnownAgainAfterAReopening() {
        Claim mine = held("k");
        reopen(PATIENT);

        assertWritten(mine, 200);
    }

    @Test
    void everyCommitIsFlushedToTheDisk() {
        assertThat(((SqliteStore) store).synchronous()).isEqualTo(2);
    }

    @Test
    void theJournalIsAWriteAheadLog() throws Exception {
        held("k");

        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA journal_mode")) {
            assertThat(row.getString(1)).isEqualTo("wal");
        }
    }

    @Test
    void expiredRowsGoWithoutTraffic() throws Exception {
        Claim alive = recorded("alive");
        try (Connection connection = plainConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 450; i++) {
                putByHand(connection, "old-" + i, "1|recorded|x|-|200", clock.instant());
            }
            connection.commit();
        }

        await().atMost(PATIENT).untilAsserted(() -> assertThat(rows()).isEqualTo(1));
        assertRecorded(rivalOf(alive), 200);
    }

    @Test
    void expiredRowsArePurgedInBatches() throws Exception {
        try (SqliteTable table = new SqliteTable(settings(PATIENT), MachineClocks.following(clock))) {
            table.file().begin();
            for (int i = 0; i < 25; i++) {
                table.reserve(KeyedClaim.of(claim("old-" + i)));
            }
            letPass(LEASE);
            Claim young = claim("young");
            table.reserve(KeyedClaim.of(young));

            assertThat(table.purge(10)).isEqualTo(10);
            assertThat(table.purge(10)).isEqualTo(10);
            assertThat(table.purge(10)).isEqualTo(5);
            assertThat(table.reserve(KeyedClaim.of(rivalOf(young)))).isInstanceOf(Reservation.AlreadyClaimed.class);
            table.file().commit();
        }
    }

    @Test
    void aValueOfAnUnknownVersionIsSomebodysClaimUntilItsEnd() throws Exception {
        held("other");
        Claim mine = claim("k");
        try (Connection connection = plainConnection()) {
            putByHand(
                    connection,
                    mine.key().value(),
                    "2|in-flight|" + mine.owner() + "|more",
                    clock.instant().plus(LEASE));
        }

        assertInFlight(mine);
        assertThat(store.record(mine, RecordedAnswer.of(200), TTL))
                .isEqualTo(new Recording.OwnedByAnother(true, LEASE));
        assertThat(store.release(mine)).isFalse();
        assertThat(store.renew(mine)).isEqualTo(Renewal.LOST);
        assertInFlight(mine);
        letPass(LEASE);
        assertGranted(mine);
    }

    @Test
    void aFileOfANewerSchemaIsLeftAlone() throws Exception {
        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 3");
        }

        assertThatThrownBy(() -> store.reserve(claim("k"))).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aFileOfTheFirstSchemaKeepsItsRowsAndItsClaimsGetFencingTokens() throws Exception {
        Claim recorded = claim("recorded");
        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE exactly_once (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE,"
                    + " key TEXT NOT NULL, value TEXT NOT NULL, expires_at_ms INTEGER NOT NULL)");
            statement.execute("PRAGMA user_version = 1");
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO exactly_once (digest, key, value, expires_at_ms) VALUES (?, ?, ?, ?)")) {
                insert.setBytes(1, KeyedClaim.digest(recorded.key()));
                insert.setString(2, recorded.key().value());
                insert.setString(
                        3,
                        StoredValue.recorded(recorded, RecordedAnswer.of(200)).encode());
                insert.setLong(4, clock.millis() + TTL.toMillis());
                insert.executeUpdate();
            }
        }

        assertRecorded(rivalOf(recorded), 200);
        assertThat(fence(claim("k"))).isPositive();
    }

    @Test
    void aClockThatTicksWhileAnOperationRunsHarmsNone() {
        AtomicLong millis = new AtomicLong();
        store.close();
        store = new SqliteStore(settings(PATIENT), () -> Instant.ofEpochMilli(millis.incrementAndGet()));

        for (int i = 0; i < 200; i++) {
            Claim mine = claim("k", Duration.ofMillis(1 + i % 7));
            store.reserve(mine);
            store.reserve(rivalOf(mine));
            if (i % 5 == 0) {
                store.record(mine, RecordedAnswer.of(200), Duration.ofMillis(1 + i % 3));
            }
        }
    }

    @Test
    void twoStoresOnOneFileGrantEachKeyOnce() throws Exception {
        try (SqliteStore second = new SqliteStore(settings(PATIENT), clock)) {
            List<Integer> granted = Together.run(8, thread -> {
                IdempotencyStore one = thread % 2 == 0 ? store : second;
                int grants = 0;
                for (int i = 0; i < 100; i++) {
                    grants += one.reserve(claim("k" + i)) instanceof Reservation.Granted ? 1 : 0;
                }
                return grants;
            });

            assertThat(granted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
        }
    }

    @Test
    void storesThatMakeOneFileTogetherAllComeUp() throws Exception {
        for (int round = 0; round < 10; round++) {
            SqliteSettings fresh = new SqliteSettings(folder.resolve("fresh-" + round + ".db"), PATIENT);
            Together.run(6, thread -> {
                try (SqliteStore one = new SqliteStore(fresh, clock)) {
                    one.probe();
                    return one.reserve(claim("k" + thread));
                }
            });
        }
    }

    @Test
    void aLockHeldByAnotherMakesCallsUnavailableUntilItIsReleased() throws Exception {
        held("before");
        reopen(IMPATIENT);
        Claim mine = claim("k");
        try (Connection connection = plainConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> store.reserve(mine)).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> store.record(mine, RecordedAnswer.of(200), TTL))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(store::probe).isInstanceOf(StoreUnavailableException.class);
            List<Boolean> failed = Together.run(20, i -> {
                try {
                    store.reserve(claim("k" + i));
                    return false;
                } catch (StoreUnavailableException e) {
                    return true;
                }
            });
            assertThat(failed).containsOnly(true);
            statement.execute("ROLLBACK");
        }

        assertRecovers(mine);
    }

    @Test
    void aFileThatIsNoDatabaseIsUnavailableUntilItIsGone() throws Exception {
        Files.writeString(file(), "this is no database ".repeat(500));
        assertThatThrownBy(() -> store.reserve(claim("k")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the SQLite file cannot be used: it is not an SQLite database; move it away, or set"
                        + " exactlyonce.sqlite.path to another file");
        Files.delete(file());

        assertRecovers(claim("k"));
    }

    @Test
    void aFolderThatVanishedIsUnavailableUntilItIsBack() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        SqliteSettings settings = new SqliteSettings(inner.resolve("keys.db"), PATIENT);
        Files.delete(inner);
        store.close();
        store = new SqliteStore(settings, clock);
        assertThatThrownBy(() -> store.reserve(claim("k"))).isInstanceOf(StoreUnavailableException.class);
        Files.createDirectory(inner);

        assertRecovers(claim("k"));
    }

    @Test
    void anInterruptedCallerStillRecordsAndStaysInterrupted() {
        Claim mine = held("k");
        Thread.currentThread().interrupt();
        Recording recording = store.record(mine, RecordedAnswer.of(200), TTL);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(recording).isInstanceOf(Recording.Written.class);
        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aClosedStoreIsUnavailable() {
        Claim mine = held("k");
        store.close();

        assertThatThrownBy(() -> store.reserve(mine)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.record(mine, RecordedAnswer.of(200), TTL))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(store::probe).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aStoreThatWasNeverUsedMakesNoFile() {
        store.close();

        assertThat(file()).doesNotExist();
    }

    @Test
    void whatIsAcknowledgedToManyCallersAtOnceIsInTheFile() throws Exception {
        List<List<Claim>> acknowledged = Together.run(16, thread -> {
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Claim mine = claim(thread + "-" + i);
                assertGranted(mine);
                assertWritten(mine, 200);
                claims.add(mine);
            }
            return claims;
        });
        reopen(PATIENT);

        assertThat(rows()).isEqualTo(16 * 40);
        acknowledged.forEach(claims -> assertRecorded(rivalOf(claims.get(0)), 200));
    }

    @Test
    void aFileThatIsRemovedUnderTheStoreIsMadeAnewAndHoldsWhatComesAfter() {
        Claim before = claim("before");
        assertThat(store.reserve(before)).isInstanceOf(Reservation.Granted.class);
        assertThat(file()).satisfies(Files::delete);

        await().until(() -> {
            store.probe();
            return Files.exists(file());
        });
        Claim after = claim("after");
        assertThat(store.reserve(after)).isInstanceOf(Reservation.Granted.class);
        assertThat(store.record(after, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
        assertThat(store.record(before, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
        reopen(PATIENT);
        assertThat(store.reserve(claim("after"))).isInstanceOf(Reservation.AlreadyRecorded.class);
        assertThat(store.reserve(claim("before"))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }
}
