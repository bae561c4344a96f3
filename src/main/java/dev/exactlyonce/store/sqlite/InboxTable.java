package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.spi.InboxRow;
import dev.exactlyonce.spi.InboxRow.PreviousRun;
import dev.exactlyonce.spi.StoredDelivery;
import dev.exactlyonce.sqlite.SqliteFile;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The inbox's rows in the store's file. Every method runs inside a transaction of the writer, as those of {@link SqliteTable}
 * do. Not thread-safe: the writer thread's own.
 */
final class InboxTable {
    static final List<String> STATEMENTS = List.of(
            """
            CREATE TABLE exactly_once_delivery (
              id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, source TEXT NOT NULL, event TEXT NOT NULL,
              content_type TEXT NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL, received_at_ms INTEGER NOT NULL
            )""",
            """
            CREATE TABLE exactly_once_inbox (
              id INTEGER PRIMARY KEY AUTOINCREMENT, delivery INTEGER NOT NULL, digest BLOB NOT NULL,
              source TEXT NOT NULL, handler TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
              previous TEXT NOT NULL, owner TEXT NOT NULL, due_at_ms INTEGER NOT NULL, fence INTEGER NOT NULL
            )""",
            "CREATE INDEX exactly_once_inbox_due ON exactly_once_inbox (source, due_at_ms) WHERE state <> 'parked'",
            "CREATE INDEX exactly_once_inbox_key ON exactly_once_inbox (digest)",
            "CREATE INDEX exactly_once_inbox_delivery ON exactly_once_inbox (delivery)",
            "CREATE INDEX exactly_once_inbox_parked ON exactly_once_inbox (id) WHERE state = 'parked'");

    private static final String ROWS = """
            SELECT i.id, d.key, i.handler, i.owner, i.attempts, i.previous, i.fence, d.received_at_ms,
              d.source, d.event, d.content_type, d.headers, %s
            FROM exactly_once_inbox i JOIN exactly_once_delivery d ON d.id = i.delivery WHERE""";

    private final PreparedStatement insertDelivery;
    private final PreparedStatement insertRow;
    private final PreparedStatement due;
    private final PreparedStatement claim;
    private final PreparedStatement one;
    private final PreparedStatement renew;
    private final PreparedStatement giveBack;
    private final PreparedStatement park;
    private final PreparedStatement done;
    private final PreparedStatement sweep;
    private final PreparedStatement parked;
    private final PreparedStatement runAgain;
    private final PreparedStatement drop;

    InboxTable(SqliteFile file) throws SQLException {
        insertDelivery = file.prepare("""
                INSERT INTO exactly_once_delivery (key, source, event, content_type, headers, body, received_at_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id""");
        insertRow = file.prepare("""
                INSERT INTO exactly_once_inbox
                (delivery, digest, source, handler, state, attempts, previous, owner, due_at_ms, fence)
                VALUES (?, ?, ?, ?, 'due', 0, 'NONE', '', ?, 0)""");
        due = file.prepare("""
                SELECT i.id FROM exactly_once_inbox i WHERE i.source = ? AND i.state <> 'parked' AND i.due_at_ms <= ?
                AND NOT EXISTS (SELECT 1 FROM exactly_once_inbox r
                  WHERE r.digest = i.digest AND r.state = 'running' AND r.due_at_ms > ?)
                ORDER BY i.due_at_ms LIMIT 1""");
        claim = file.prepare("""
                UPDATE exactly_once_inbox SET
                previous = CASE state WHEN 'running' THEN 'LEASE_EXPIRED' ELSE previous END,
                state = 'running', owner = ?, attempts = attempts + 1, due_at_ms = ?, fence = ? WHERE id = ?""");
        one = file.prepare(ROWS.replace("%s", "d.body") + " i.id = ?");
        renew = file.prepare(
                "UPDATE exactly_once_inbox SET due_at_ms = ? WHERE id = ? AND owner = ? AND state = 'running'");
        giveBack = file.prepare("""
                UPDATE exactly_once_inbox SET state = 'due', previous = 'FAILED', due_at_ms = ?
                WHERE id = ? AND owner = ? AND state = 'running'""");
        park = file.prepare("""
                UPDATE exactly_once_inbox SET state = 'parked', previous = 'FAILED'
                WHERE id = ? AND owner = ? AND state = 'running'""");
        done = file.prepare(
                "DELETE FROM exactly_once_inbox WHERE id = ? AND owner = ? AND state = 'running' RETURNING delivery");
        sweep = file.prepare("""
                DELETE FROM exactly_once_delivery WHERE id = ?
                AND NOT EXISTS (SELECT 1 FROM exactly_once_inbox WHERE delivery = exactly_once_delivery.id)""");
        parked = file.prepare(ROWS.replace("%s", "x''") + " i.state = 'parked' ORDER BY i.id LIMIT ?");
        runAgain = file.prepare("""
                UPDATE exactly_once_inbox SET state = 'due', attempts = 0, due_at_ms = ?
                WHERE id = ? AND state = 'parked'""");
        drop = file.prepare("DELETE FROM exactly_once_inbox WHERE id = ? AND state = 'parked' RETURNING delivery");
    }

    void insert(KeyedClaim claim, StoredDelivery delivery, List<String> handlers, long now) throws SQLException {
        insertDelivery.setString(1, claim.key());
        insertDelivery.setString(2, delivery.source());
        insertDelivery.setString(3, delivery.event());
        insertDelivery.setString(4, delivery.contentType());
        insertDelivery.setString(5, delivery.headers());
        insertDelivery.setBytes(6, delivery.body());
        insertDelivery.setLong(7, now);
        long id = number(insertDelivery);
        for (String handler : handlers) {
            insertRow.setLong(1, id);
            insertRow.setBytes(2, claim.digest());
            insertRow.setString(3, delivery.source());
            insertRow.setString(4, handler);
            insertRow.setLong(5, now);
            insertRow.executeUpdate();
        }
    }

    /** Counts the fencing tokens of the file. */
    @FunctionalInterface
    interface FenceCounter {
        long next() throws SQLException;
    }

    List<InboxRow> claim(String source, String owner, Duration lease, int most, long now, FenceCounter fences)
            throws SQLException {
        List<InboxRow> claimed = new ArrayList<>();
        while (claimed.size() < most) { // one by one: of the rows of one key, one at a time
            due.setString(1, source);
            due.setLong(2, now);
            due.setLong(3, now);
            long id = number(due);
            if (id == 0) {
                break;
            }
            claim.setString(1, owner);
            claim.setLong(2, now + lease.toMillis());
            claim.setLong(3, fences.next());
            claim.setLong(4, id);
            claim.executeUpdate();
            one.setLong(1, id);
            claimed.addAll(rows(one));
        }
        return claimed;
    }

    boolean renew(InboxRow row, long until) throws SQLException {
        return update(renew, until, row);
    }

    boolean retry(InboxRow row, long dueAt) throws SQLException {
        return update(giveBack, dueAt, row);
    }

    private static boolean update(PreparedStatement statement, long millis, InboxRow row) throws SQLException {
        statement.setLong(1, millis);
        statement.setLong(2, row.id());
        statement.setString(3, row.owner());
        return statement.executeUpdate() == 1;
    }

    boolean park(InboxRow row) throws SQLException {
        park.setLong(1, row.id());
        park.setString(2, row.owner());
        return park.executeUpdate() == 1;
    }

    boolean done(InboxRow row) throws SQLException {
        done.setLong(1, row.id());
        done.setString(2, row.owner());
        return removed(number(done));
    }

    List<InboxRow> parked(int most) throws SQLException {
        parked.setInt(1, most);
        return rows(parked);
    }

    boolean runAgain(long id, long now) throws SQLException {
        runAgain.setLong(1, now);
        runAgain.setLong(2, id);
        return runAgain.executeUpdate() == 1;
    }

    boolean drop(long id) throws SQLException {
        drop.setLong(1, id);
        return removed(number(drop));
    }

    private boolean removed(long delivery) throws SQLException {
        sweep.setLong(1, delivery);
        sweep.executeUpdate();
        return delivery != 0;
    }

    /** The first column of the one row; 0 without one, which no id is. */
    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static List<InboxRow> rows(PreparedStatement statement) throws SQLException {
        List<InboxRow> rows = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(new InboxRow(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getInt(5),
                        PreviousRun.valueOf(row.getString(6)),
                        row.getLong(7),
                        row.getLong(8),
                        new StoredDelivery(
                                row.getString(9),
                                row.getString(10),
                                row.getString(11),
                                row.getString(12),
                                row.getBytes(13))));
            }
        }
        return rows;
    }
}
