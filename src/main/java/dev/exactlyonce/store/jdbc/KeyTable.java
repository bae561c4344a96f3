package dev.exactlyonce.store.jdbc;

import static dev.exactlyonce.sql.Dialect.POSTGRES_MILLIS;

import dev.exactlyonce.common.Digests;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoredValue;
import dev.exactlyonce.sql.PreparedQuery;
import dev.exactlyonce.sql.Session;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * The statements on the table of a PostgreSQL. Each is atomic by itself, so that it needs no transaction around it; what is
 * read after a statement that changed nothing may have changed meanwhile, and is then asked again. Immutable.
 *
 * <p>A claim takes an advisory lock on its key before it takes its fencing token: without it a statement that is delayed
 * between the two could write a token that is smaller than one that another claim has got meanwhile.
 */
final class KeyTable {
    private static final int DIGEST_BYTES = 16;

    /** How often a row may vanish between a statement that found it and the one that reads it. */
    private static final int MOST_TURNS = 100;

    private record StoredRow(StoredValue value, long leftMillis, long fence) {
        Duration left() {
            return Duration.ofMillis(Math.max(0, leftMillis));
        }

        Reservation refusal() {
            return value.isRecorded()
                    ? new Reservation.AlreadyRecorded(value.fingerprint(), value.answer())
                    : new Reservation.AlreadyClaimed(value.fingerprint(), left());
        }
    }

    private final String claim;
    private final String renew;
    private final String record;
    private final String find;
    private final String release;
    private final String purge;
    private final String change;
    private final String touch;

    KeyTable(String table) {
        String put = """
                WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(?))
                INSERT INTO %1$s AS kept (digest, idempotency_key, value, fence, expires_at_ms)
                SELECT ?, ?, ?, nextval('%1$s_fence'), %2$s + ? FROM locked
                ON CONFLICT (digest) DO UPDATE
                SET value = excluded.value, fence = %3$s, expires_at_ms = excluded.expires_at_ms
                WHERE kept.expires_at_ms <= %2$s""";
        claim = sql(put + " RETURNING fence", table, "excluded.fence");
        // A claim that is there keeps its token; one that starts again where nothing is gets a new one.
        renew = sql(
                put + " OR kept.value = ?",
                table,
                "CASE WHEN kept.value = excluded.value THEN kept.fence ELSE excluded.fence END");
        record = sql(
                put + " OR kept.value = ?",
                table,
                "CASE WHEN kept.expires_at_ms > " + POSTGRES_MILLIS + " THEN kept.fence ELSE excluded.fence END");
        find = sql("SELECT value, expires_at_ms - %2$s AS left_ms, fence FROM %1$s WHERE digest = ?", table, "");
        release = sql("DELETE FROM %1$s WHERE digest = ? AND value = ? AND expires_at_ms > %2$s", table, "");
        change = sql("UPDATE %1$s SET value = ? WHERE digest = ?", table, "");
        purge = sql("""
                DELETE FROM %1$s WHERE digest IN (SELECT digest FROM %1$s WHERE expires_at_ms <= %2$s
                ORDER BY expires_at_ms LIMIT ? FOR UPDATE SKIP LOCKED)""", table, "");
        touch = sql("""
                INSERT INTO %1$s (digest, idempotency_key, value, fence, expires_at_ms) VALUES (?, '', '', 0, 0)
                ON CONFLICT (digest) DO UPDATE SET expires_at_ms = 0""", table, "");
    }

    private static String sql(String text, String table, String fence) {
        return text.replace("%1$s", table).replace("%2$s", POSTGRES_MILLIS).replace("%3$s", fence);
    }

    private static byte[] digest(DeliveryKey key) {
        return Arrays.copyOf(Digests.sha256(key.value()), DIGEST_BYTES);
    }

    private static PreparedQuery put(Session session, String sql, Claim claim, String value, Duration life)
            throws SQLException {
        byte[] digest = digest(claim.key());
        return session.prepare(sql)
                .number(ByteBuffer.wrap(digest).getLong())
                .bytes(digest)
                .text(claim.key().value())
                .text(value)
                .number(life.toMillis());
    }

    /** Writes this value where the key is absent; the claim's fencing token when it was. */
    private Optional<Reservation> putAbsent(Session session, Claim owner, String value, Duration life)
            throws SQLException {
        try (ResultSet written = put(session, claim, owner, value, life).query()) {
            return written.next() ? Optional.of(new Reservation.Granted(written.getLong(1))) : Optional.empty();
        }
    }

    Reservation reserve(Session session, Claim claim) throws SQLException {
        String inFlight = StoredValue.inFlight(claim).encode();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            Optional<Reservation> granted = putAbsent(session, claim, inFlight, claim.lease());
            if (granted.isPresent()) {
                return granted.get();
            }
            Optional<StoredRow> there = row(session, claim.key());
            if (there.isPresent()) {
                StoredValue value = there.get().value();
                return !value.isRecorded() && value.isOwnedBy(claim)
                        ? new Reservation.Granted(there.get().fence())
                        : there.get().refusal();
            }
        }
        throw vanished();
    }

    /** In the caller's transaction: what it commits is a record. */
    Reservation insert(Session session, Claim claim, RecordedAnswer answer, Duration ttl) throws SQLException {
        String recorded = StoredValue.recorded(claim, answer).encode();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            Optional<Reservation> granted = putAbsent(session, claim, recorded, ttl);
            if (granted.isPresent()) {
                return granted.get();
            }
            Optional<StoredRow> there = row(session, claim.key());
            if (there.isPresent()) {
                return there.get().refusal();
            }
        }
        throw vanished();
    }

    Recording record(Session session, Claim claim, RecordedAnswer answer, Duration ttl) throws SQLException {
        String recorded = StoredValue.recorded(claim, answer).encode();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            int written = put(session, record, claim, recorded, ttl)
                    .text(StoredValue.inFlight(claim).encode())
                    .update();
            if (written == 1) {
                return new Recording.Written();
            }
            Optional<StoredRow> there = row(session, claim.key());
            if (there.isPresent()) {
                boolean running = !there.get().value().isRecorded();
                return there.get().value().isOwnedBy(claim)
                        ? new Recording.Written()
                        : new Recording.OwnedByAnother(
                                running, running ? there.get().left() : Duration.ZERO);
            }
        }
        throw vanished();
    }

    Renewal renew(Session session, Claim claim) throws SQLException {
        String inFlight = StoredValue.inFlight(claim).encode();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            if (put(session, renew, claim, inFlight, claim.lease())
                            .text(inFlight)
                            .update()
                    == 1) {
                return Renewal.HELD;
            }
            Optional<StoredRow> there = row(session, claim.key());
            if (there.isPresent()) {
                return there.get().value().isOwnedBy(claim) ? Renewal.HELD : Renewal.LOST;
            }
        }
        throw vanished();
    }

    boolean release(Session session, Claim claim) throws SQLException {
        return session.prepare(release)
                        .bytes(digest(claim.key()))
                        .text(StoredValue.inFlight(claim).encode())
                        .update()
                == 1;
    }

    /** Changes the answer of a record that the caller's transaction has written. */
    void change(Session session, Claim claim, RecordedAnswer answer) throws SQLException {
        int changed = session.prepare(change)
                .text(StoredValue.recorded(claim, answer).encode())
                .bytes(digest(claim.key()))
                .update();
        if (changed != 1) {
            throw new SQLException("the transaction has lost its record", "40001");
        }
    }

    /**
     * Limits how long the caller's transaction waits for a lock.
     *
     * @return what limited it before
     */
    String limitWait(Session session, Duration wait) throws SQLException {
        try (ResultSet row = session.prepare(
                        "SELECT current_setting('lock_timeout'), set_config('lock_timeout', ?, true)")
                .text(wait.toMillis() + "ms")
                .query()) {
            row.next();
            return row.getString(1);
        }
    }

    /** How long the connection waits for a lock now. */
    long waitMillis(Session session) throws SQLException {
        try (ResultSet row = session.prepare(
                        "SELECT CAST(setting AS BIGINT) FROM pg_settings WHERE name = 'lock_timeout'")
                .query()) {
            row.next();
            return row.getLong(1);
        }
    }

    void resetWait(Session session, String before) throws SQLException {
        session.prepare("SELECT set_config('lock_timeout', ?, true)")
                .text(before)
                .query()
                .close();
    }

    Optional<Reservation> find(Session session, DeliveryKey key) throws SQLException {
        return row(session, key).map(StoredRow::refusal);
    }

    /** One that has not ended. */
    private Optional<StoredRow> row(Session session, DeliveryKey key) throws SQLException {
        try (ResultSet row = session.prepare(find).bytes(digest(key)).query()) {
            return row.next() && row.getLong(2) > 0
                    ? Optional.of(new StoredRow(StoredValue.decode(row.getString(1)), row.getLong(2), row.getLong(3)))
                    : Optional.empty();
        }
    }

    private static SQLException vanished() {
        return new SQLException("a row came and went again and again", "40001");
    }

    /** Deletes rows that have ended; those that another replica deletes are left to it. */
    int purge(Session session, int most) throws SQLException {
        return session.prepare(purge).number(most).update();
    }

    /** Writes a row that has ended, under a key that no delivery has. */
    void touch(Session session) throws SQLException {
        session.prepare(touch).bytes(new byte[0]).update();
    }
}
