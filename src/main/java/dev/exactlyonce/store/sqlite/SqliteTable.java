package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.spi.InboxRow;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoredDelivery;
import dev.exactlyonce.spi.StoredValue;
import dev.exactlyonce.sqlite.Schema;
import dev.exactlyonce.sqlite.SqliteFile;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.sqlite.Table;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The one table, over one connection. Every method runs inside a transaction that was begun IMMEDIATE, so that what it
 * reads is what it writes on, also when another process has the file. Not thread-safe: the writer thread's own.
 */
final class SqliteTable implements Table, AutoCloseable {
    private static final List<String> STATEMENTS = List.of(
            """
            CREATE TABLE IF NOT EXISTS exactly_once (
              id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE,
              key TEXT NOT NULL, value TEXT NOT NULL, expires_at_ms INTEGER NOT NULL
            )""",
            "CREATE INDEX IF NOT EXISTS exactly_once_expires_at ON exactly_once (expires_at_ms)",
            "ALTER TABLE exactly_once ADD COLUMN fence INTEGER NOT NULL DEFAULT 0",
            """
            CREATE TABLE exactly_once_fence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL)""",
            "INSERT INTO exactly_once_fence (id, last) VALUES (1, 0)");

    private static final Schema SCHEMA = new Schema(
            2,
            Stream.of(STATEMENTS, InboxTable.STATEMENTS).flatMap(List::stream).toList());

    private record KeyRow(StoredValue value, long expiresAtMillis, long fence) {}

    private static final long MICROS = 1_000;

    private final InstantSource clock;
    private final SqliteFile file;
    private final InboxTable inbox;
    private final PreparedStatement insertAbsent;
    private final PreparedStatement countFence;
    private final PreparedStatement anyLive;
    private final PreparedStatement select;
    private final PreparedStatement swap;
    private final PreparedStatement delete;
    private final PreparedStatement purge;

    SqliteTable(SqliteSettings settings, MachineClocks machine) throws SQLException {
        this.file = SqliteFile.open(settings, SCHEMA, machine);
        this.clock = file.clock();
        try {
            insertAbsent = file.prepare("""
                    INSERT INTO exactly_once (digest, key, value, expires_at_ms, fence)
                    VALUES (?, ?, ?, ?, (SELECT MAX(last + 1, ?) FROM exactly_once_fence))
                    ON CONFLICT (digest) DO UPDATE SET
                    value = excluded.value, expires_at_ms = excluded.expires_at_ms, fence = excluded.fence
                    WHERE expires_at_ms <= ?""");
            countFence = file.prepare("UPDATE exactly_once_fence SET last = MAX(last + 1, ?) RETURNING last");
            anyLive = file.prepare("SELECT 1 FROM exactly_once WHERE expires_at_ms > ? LIMIT 1");
            select = file.prepare("SELECT value, expires_at_ms, fence FROM exactly_once WHERE digest = ?");
            swap = file.prepare("UPDATE exactly_once SET value = ?, expires_at_ms = ? WHERE digest = ? AND value = ?");
            delete = file.prepare("DELETE FROM exactly_once WHERE digest = ? AND value = ? AND expires_at_ms > ?");
            purge = file.prepare("""
                    DELETE FROM exactly_once WHERE id IN
                    (SELECT id FROM exactly_once WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?)""");
            inbox = new InboxTable(file);
        } catch (SQLException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public SqliteFile file() {
        return file;
    }

    Reservation reserve(KeyedClaim claim) throws SQLException {
        long now = clock.millis();
        if (putWhereFree(claim, claim.inFlight(), now + claim.leaseMillis(), now)) {
            return new Reservation.Granted(countFence(now));
        }
        KeyRow there = row(claim);
        if (!there.value().isRecorded() && there.value().isOwnedBy(claim.claim())) {
            file.touch(); // an answer that says "granted" says that the file takes writes, too
            return new Reservation.Granted(there.fence());
        }
        return refusal(there, now);
    }

    /** The key's record and the inbox's rows of the delivery, where the key is free. */
    Reservation store(KeyedClaim claim, String record, Duration ttl, StoredDelivery delivery, List<String> handlers)
            throws SQLException {
        long now = clock.millis();
        if (putWhereFree(claim, record, now + ttl.toMillis(), now)) {
            inbox.insert(claim, delivery, handlers, now);
            return new Reservation.Granted(countFence(now));
        }
        KeyRow there = row(claim);
        if (there.value().isOwnedBy(claim.claim()) && there.value().isRecorded()) {
            file.touch();
            return new Reservation.Granted(there.fence());
        }
        return refusal(there, now);
    }

    List<InboxRow> claimRows(String source, String owner, Duration lease, int most) throws SQLException {
        long now = clock.millis();
        return inbox.claim(source, owner, lease, most, now, () -> countFence(now));
    }

    InboxTable inbox() {
        return inbox;
    }

    /** The time after this duration, in milliseconds of the file's clock. */
    long in(Duration duration) {
        return clock.millis() + duration.toMillis();
    }

    private static Reservation refusal(KeyRow there, long now) {
        StoredValue value = there.value();
        return value.isRecorded()
                ? new Reservation.AlreadyRecorded(value.fingerprint(), value.answer())
                : new Reservation.AlreadyClaimed(value.fingerprint(), left(there, now));
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
        KeyRow there = row(claim);
        if (there.value().isOwnedBy(claim.claim())) {
            file.touch();
            return new Recording.Written();
        }
        boolean running = !there.value().isRecorded();
        return new Recording.OwnedByAnother(running, running ? left(there, now) : Duration.ZERO);
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
            file.touch();
            held = true;
        }
        return held ? Renewal.HELD : Renewal.LOST;
    }

    @Override
    public int purge(int most) throws SQLException {
        purge.setLong(1, clock.millis());
        purge.setInt(2, most);
        return purge.executeUpdate();
    }

    private boolean putWhereFree(KeyedClaim claim, String value, long expiresAtMillis, long now) throws SQLException {
        insertAbsent.setBytes(1, claim.digest());
        insertAbsent.setString(2, claim.key());
        insertAbsent.setString(3, value);
        insertAbsent.setLong(4, expiresAtMillis);
        insertAbsent.setLong(5, now * MICROS);
        insertAbsent.setLong(6, now);
        return insertAbsent.executeUpdate() == 1;
    }

    private boolean swapOwnClaim(KeyedClaim claim, String value, long expiresAtMillis) throws SQLException {
        swap.setString(1, value);
        swap.setLong(2, expiresAtMillis);
        swap.setBytes(3, claim.digest());
        swap.setString(4, claim.inFlight());
        return swap.executeUpdate() == 1;
    }

    /** Counts the fencing token that was just written: of all keys of the file, so that a purge does not
     * end it, and from the time on, so that another file goes on as well. */
    private long countFence(long now) throws SQLException {
        countFence.setLong(1, now * MICROS);
        try (ResultSet counted = countFence.executeQuery()) {
            return counted.getLong(1);
        }
    }

    /** The key's row, after an attempt to put one has shown that it is there and has not ended. */
    private KeyRow row(KeyedClaim claim) throws SQLException {
        return select(claim.digest()).orElseThrow(() -> new SQLException("a row vanished inside its transaction"));
    }

    private Optional<KeyRow> select(byte[] digest) throws SQLException {
        select.setBytes(1, digest);
        try (ResultSet row = select.executeQuery()) {
            return row.next()
                    ? Optional.of(new KeyRow(StoredValue.decode(row.getString(1)), row.getLong(2), row.getLong(3)))
                    : Optional.empty();
        }
    }

    private static Duration left(KeyRow row, long nowMillis) {
        return Duration.ofMillis(Math.max(0, row.expiresAtMillis() - nowMillis));
    }

    @Override
    public void close() throws SQLException {
        file.close();
    }
}
