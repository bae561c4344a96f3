package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.Recording;
import dev.exactlyonce.admission.Renewal;
import dev.exactlyonce.admission.Reservation;
import dev.exactlyonce.admission.StoredValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/**
 * The one table, over one connection. Every method runs inside a transaction that was begun IMMEDIATE, so that what it
 * reads is what it writes on, also when another process has the file. Not thread-safe: the writer thread's own.
 */
final class SqliteTable implements AutoCloseable {
    private static final int SCHEMA_VERSION = 1;
    private static final int CACHE_KIB = 32 * 1024;
    private static final int PRIMARY_CODE = 0xff;
    private static final Duration RETRY_OPEN = Duration.ofMillis(5);

    private record Row(StoredValue value, long expiresAtMillis) {}

    private final InstantSource clock;
    private final Path path;
    private final @Nullable Object file;
    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement insertAbsent;
    private final PreparedStatement select;
    private final PreparedStatement put;
    private final PreparedStatement swap;
    private final PreparedStatement delete;
    private final PreparedStatement purge;

    SqliteTable(SqliteSettings settings, InstantSource clock) throws SQLException {
        this.clock = clock;
        this.path = settings.path();
        this.connection = open(settings);
        try {
            migrate();
            file = identity(path);
            begin = connection.prepareStatement("BEGIN IMMEDIATE");
            commit = connection.prepareStatement("COMMIT");
            insertAbsent = connection.prepareStatement("""
                    INSERT INTO exactly_once (key, value, expires_at_ms) VALUES (?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms
                    WHERE expires_at_ms <= ?""");
            select = connection.prepareStatement("SELECT value, expires_at_ms FROM exactly_once WHERE key = ?");
            put = connection.prepareStatement(
                    "INSERT OR REPLACE INTO exactly_once (key, value, expires_at_ms) VALUES (?, ?, ?)");
            swap = connection.prepareStatement(
                    "UPDATE exactly_once SET value = ?, expires_at_ms = ? WHERE key = ? AND value = ?");
            delete = connection.prepareStatement(
                    "DELETE FROM exactly_once WHERE key = ? AND value = ? AND expires_at_ms > ?");
            purge = connection.prepareStatement("""
                    DELETE FROM exactly_once WHERE key IN
                    (SELECT key FROM exactly_once WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?)""");
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection open(SqliteSettings settings) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL); // a record must survive a power cut
        config.setBusyTimeout((int) settings.timeout().toMillis());
        config.setCacheSize(-CACHE_KIB);
        SQLiteDataSource source = new SQLiteDataSource(config); // DriverManager forgets the driver on a redeployment
        source.setUrl("jdbc:sqlite:" + settings.path());
        return connect(source, System.nanoTime() + settings.timeout().toNanos());
    }

    /** Turning a new file into WAL is refused at once, whatever the busy timeout, while another process does the same. */
    private static Connection connect(SQLiteDataSource source, long deadline) throws SQLException {
        while (true) {
            try {
                return source.getConnection();
            } catch (SQLException e) {
                boolean busy = (e.getErrorCode() & PRIMARY_CODE) == SQLiteErrorCode.SQLITE_BUSY.code;
                if (!busy || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_OPEN.toNanos());
            }
        }
    }

    private void migrate() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int version;
            try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
                version = row.getInt(1);
            }
            if (version == SCHEMA_VERSION) {
                return;
            }
            if (version > SCHEMA_VERSION) {
                throw new SQLException("the file was written by a newer version of this library");
            }
            statement.executeUpdate("""
                    CREATE TABLE IF NOT EXISTS exactly_once (
                      key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at_ms INTEGER NOT NULL
                    ) WITHOUT ROWID""");
            statement.executeUpdate(
                    "CREATE INDEX IF NOT EXISTS exactly_once_expires_at ON exactly_once (expires_at_ms)");
            statement.executeUpdate("PRAGMA user_version = " + SCHEMA_VERSION);
        }
    }

    void begin() throws SQLException {
        begin.execute();
    }

    void commit() throws SQLException {
        commit.execute();
    }

    Reservation reserve(Claim claim) throws SQLException {
        long now = clock.millis();
        String mine = StoredValue.inFlight(claim).encode();
        insertAbsent.setString(1, claim.key().value());
        insertAbsent.setString(2, mine);
        insertAbsent.setLong(3, now + claim.lease().toMillis());
        insertAbsent.setLong(4, now);
        if (insertAbsent.executeUpdate() == 1) {
            return new Reservation.Granted();
        }
        Row there = liveRow(claim, now);
        if (there == null) {
            throw new SQLException("a row vanished inside its transaction");
        }
        StoredValue value = there.value();
        if (value.isRecorded()) {
            return new Reservation.Recorded(value.fingerprint(), value.status());
        }
        return value.isOwnedBy(claim)
                ? new Reservation.Granted()
                : new Reservation.InFlight(value.fingerprint(), left(there, now));
    }

    Recording record(Claim claim, int status, Duration ttl) throws SQLException {
        long now = clock.millis();
        String record = StoredValue.recorded(claim, status).encode();
        if (swapOwnClaim(claim, record, now + ttl.toMillis())) {
            return new Recording.Written();
        }
        Row there = liveRow(claim, now);
        if (there == null) {
            put(claim, record, now + ttl.toMillis());
            return new Recording.Written();
        }
        if (there.value().isOwnedBy(claim)) {
            return new Recording.Written();
        }
        boolean running = !there.value().isRecorded();
        return new Recording.Superseded(running, running ? left(there, now) : Duration.ZERO);
    }

    boolean release(Claim claim) throws SQLException {
        delete.setString(1, claim.key().value());
        delete.setString(2, StoredValue.inFlight(claim).encode());
        delete.setLong(3, clock.millis());
        return delete.executeUpdate() == 1;
    }

    Renewal renew(Claim claim) throws SQLException {
        String mine = StoredValue.inFlight(claim).encode();
        long now = clock.millis();
        long until = now + claim.lease().toMillis();
        if (swapOwnClaim(claim, mine, until)) {
            return Renewal.HELD;
        }
        Row there = liveRow(claim, now);
        if (there == null) {
            put(claim, mine, until);
            return Renewal.HELD;
        }
        return there.value().isOwnedBy(claim) ? Renewal.HELD : Renewal.LOST;
    }

    /** Deletes at most this many expired rows; returns how many there were. */
    int purge(int most) throws SQLException {
        purge.setLong(1, clock.millis());
        purge.setInt(2, most);
        return purge.executeUpdate();
    }

    /** Whether the file was removed or replaced: what is written from then on would be gone at the next start. */
    boolean hasLostItsFile() {
        return !Objects.equals(file, identity(path));
    }

    private static @Nullable Object identity(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    /** Rewrites the schema version: a write that changes nothing. */
    void touch() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA user_version = " + SCHEMA_VERSION);
        }
    }

    /** The level of {@code PRAGMA synchronous} that this connection writes with; 2 is FULL. */
    int synchronous() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA synchronous")) {
            return row.getInt(1);
        }
    }

    private boolean swapOwnClaim(Claim claim, String value, long expiresAtMillis) throws SQLException {
        swap.setString(1, value);
        swap.setLong(2, expiresAtMillis);
        swap.setString(3, claim.key().value());
        swap.setString(4, StoredValue.inFlight(claim).encode());
        return swap.executeUpdate() == 1;
    }

    private void put(Claim claim, String value, long expiresAtMillis) throws SQLException {
        put.setString(1, claim.key().value());
        put.setString(2, value);
        put.setLong(3, expiresAtMillis);
        put.executeUpdate();
    }

    /** The key's row unless it has ended by {@code now}, which an operation reads once: its end must not fall between. */
    private @Nullable Row liveRow(Claim claim, long now) throws SQLException {
        select.setString(1, claim.key().value());
        try (ResultSet row = select.executeQuery()) {
            return row.next() && row.getLong(2) > now
                    ? new Row(StoredValue.decode(row.getString(1)), row.getLong(2))
                    : null;
        }
    }

    private static Duration left(Row row, long nowMillis) {
        return Duration.ofMillis(Math.max(0, row.expiresAtMillis() - nowMillis));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
