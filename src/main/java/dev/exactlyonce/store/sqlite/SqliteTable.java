package dev.exactlyonce.store.sqlite;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one table, over one connection. Every method runs inside a transaction that was begun IMMEDIATE, so that what it
 * reads is what it writes on, also when another process has the file. Not thread-safe: the writer thread's own.
 */
final class SqliteTable implements AutoCloseable {
    private record Row(StoredValue value, long expiresAtMillis) {}

    private final InstantSource clock;
    private final Path path;
    private final Path log;
    private final @Nullable Object file;
    private @Nullable Object logFile;
    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement insertAbsent;
    private final PreparedStatement anyLive;
    private final PreparedStatement select;
    private final PreparedStatement swap;
    private final PreparedStatement delete;
    private final PreparedStatement purge;

    SqliteTable(SqliteSettings settings, InstantSource clock) throws SQLException {
        this.clock = clock;
        this.path = settings.path();
        this.log = path.resolveSibling(path.getFileName() + "-wal");
        this.connection = SqliteFile.open(settings);
        try {
            file = identity(path);
            begin = connection.prepareStatement("BEGIN IMMEDIATE");
            commit = connection.prepareStatement("COMMIT");
            insertAbsent = connection.prepareStatement("""
                    INSERT INTO exactly_once (digest, key, value, expires_at_ms) VALUES (?, ?, ?, ?)
                    ON CONFLICT (digest) DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms
                    WHERE expires_at_ms <= ?""");
            anyLive = connection.prepareStatement("SELECT 1 FROM exactly_once WHERE expires_at_ms > ? LIMIT 1");
            select = connection.prepareStatement("SELECT value, expires_at_ms FROM exactly_once WHERE digest = ?");
            swap = connection.prepareStatement(
                    "UPDATE exactly_once SET value = ?, expires_at_ms = ? WHERE digest = ? AND value = ?");
            delete = connection.prepareStatement(
                    "DELETE FROM exactly_once WHERE digest = ? AND value = ? AND expires_at_ms > ?");
            purge = connection.prepareStatement("""
                    DELETE FROM exactly_once WHERE id IN
                    (SELECT id FROM exactly_once WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?)""");
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    void begin() throws SQLException {
        begin.execute();
    }

    void commit() throws SQLException {
        commit.execute();
        if (logFile == null) {
            logFile = identity(log); // there from the first commit on, as long as a connection is open
        }
    }

    Reservation reserve(KeyedClaim claim) throws SQLException {
        long now = clock.millis();
        if (putWhereFree(claim, claim.inFlight(), now + claim.leaseMillis(), now)) {
            return new Reservation.Granted();
        }
        Row there = row(claim);
        if (!there.value().isRecorded() && there.value().isOwnedBy(claim.claim())) {
            touch(); // an answer that says "granted" says that the file takes writes, too
            return new Reservation.Granted();
        }
        return refusal(there, now);
    }

    private static Reservation refusal(Row there, long now) {
        StoredValue value = there.value();
        return value.isRecorded()
                ? new Reservation.Recorded(value.fingerprint(), value.answer())
                : new Reservation.InFlight(value.fingerprint(), left(there, now));
    }

    Optional<Reservation> find(byte[] digest) throws SQLException {
        long now = clock.millis();
        return select(digest).filter(row -> row.expiresAtMillis() > now).map(row -> refusal(row, now));
    }

    /** Whether no row is left that has not ended. */
    boolean isEmpty() throws SQLException {
        anyLive.setLong(1, clock.millis());
        try (ResultSet row = anyLive.executeQuery()) {
            return !row.next();
        }
    }

    Recording record(KeyedClaim claim, String record, Duration ttl) throws SQLException {
        long now = clock.millis();
        long until = now + ttl.toMillis();
        if (swapOwnClaim(claim, record, until) || putWhereFree(claim, record, until, now)) {
            return new Recording.Written();
        }
        Row there = row(claim);
        if (there.value().isOwnedBy(claim.claim())) {
            touch();
            return new Recording.Written();
        }
        boolean running = !there.value().isRecorded();
        return new Recording.Superseded(running, running ? left(there, now) : Duration.ZERO);
    }

    boolean release(KeyedClaim claim) throws SQLException {
        delete.setBytes(1, claim.digest());
        delete.setString(2, claim.inFlight());
        delete.setLong(3, clock.millis());
        return delete.executeUpdate() == 1;
    }

    Renewal renew(KeyedClaim claim) throws SQLException {
        long now = clock.millis();
        long until = now + claim.leaseMillis();
        boolean held =
                swapOwnClaim(claim, claim.inFlight(), until) || putWhereFree(claim, claim.inFlight(), until, now);
        if (!held && row(claim).value().isOwnedBy(claim.claim())) {
            touch();
            held = true;
        }
        return held ? Renewal.HELD : Renewal.LOST;
    }

    /** Deletes at most this many expired rows; returns how many there were. */
    int purge(int most) throws SQLException {
        purge.setLong(1, clock.millis());
        purge.setInt(2, most);
        return purge.executeUpdate();
    }

    /**
     * Whether the file, or the log beside it that holds the latest commits, was removed or replaced: what is written from
     * then on would be gone at the next start.
     */
    boolean hasLostItsFile() {
        return !Objects.equals(file, identity(path)) || (logFile != null && !logFile.equals(identity(log)));
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
            statement.executeUpdate("PRAGMA user_version = " + SqliteFile.SCHEMA_VERSION);
        }
    }

    /** The level of {@code PRAGMA synchronous} that this connection writes with; 2 is FULL. */
    int synchronous() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA synchronous")) {
            return row.getInt(1);
        }
    }

    private boolean putWhereFree(KeyedClaim claim, String value, long expiresAtMillis, long now) throws SQLException {
        insertAbsent.setBytes(1, claim.digest());
        insertAbsent.setString(2, claim.key());
        insertAbsent.setString(3, value);
        insertAbsent.setLong(4, expiresAtMillis);
        insertAbsent.setLong(5, now);
        return insertAbsent.executeUpdate() == 1;
    }

    private boolean swapOwnClaim(KeyedClaim claim, String value, long expiresAtMillis) throws SQLException {
        swap.setString(1, value);
        swap.setLong(2, expiresAtMillis);
        swap.setBytes(3, claim.digest());
        swap.setString(4, claim.inFlight());
        return swap.executeUpdate() == 1;
    }

    /** The key's row, after an attempt to put one has shown that it is there and has not ended. */
    private Row row(KeyedClaim claim) throws SQLException {
        return select(claim.digest()).orElseThrow(() -> new SQLException("a row vanished inside its transaction"));
    }

    private Optional<Row> select(byte[] digest) throws SQLException {
        select.setBytes(1, digest);
        try (ResultSet row = select.executeQuery()) {
            return row.next()
                    ? Optional.of(new Row(StoredValue.decode(row.getString(1)), row.getLong(2)))
                    : Optional.empty();
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
