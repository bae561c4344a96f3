package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sql.PreparedQuery;
import dev.exactlyonce.sql.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Claims the rows of due events, and holds the claims. Each method runs inside a transaction. */
final class ClaimedRows {
    static final String SELECT_DUE = """
            SELECT id, event_key, attempts, round_began_at_ms, headers, body FROM exactly_once_outbox
            WHERE endpoint = ? AND due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?""";

    private static final String CLAIM = """
            UPDATE exactly_once_outbox SET state = 'claimed', owner = ?, due_at_ms = ?, attempts = attempts + 1,
              round_began_at_ms = coalesce(round_began_at_ms, ?),
              first_attempt_at_ms = coalesce(first_attempt_at_ms, ?)
            WHERE id = ?""";

    private static final String RENEW =
            "UPDATE exactly_once_outbox SET due_at_ms = ? WHERE id = ? AND owner = ? AND state = 'claimed'";

    private final Session session;

    ClaimedRows(Session session) {
        this.session = session;
    }

    List<ClaimedEvent> claim(String endpoint, int most, String owner, Duration lease) throws SQLException {
        long now = session.now();
        List<ClaimedEvent> events = new ArrayList<>();
        try (ResultSet row = session.prepare(SELECT_DUE + session.dialect().skippingLocked())
                .text(endpoint)
                .number(now)
                .number(most)
                .query()) {
            while (row.next()) {
                events.add(claimed(endpoint, owner, row, now));
            }
        }
        if (!events.isEmpty()) {
            take(events, now, now + lease.toMillis());
        }
        return events;
    }

    private static ClaimedEvent claimed(String endpoint, String owner, ResultSet row, long now) throws SQLException {
        OutgoingEvent event = new OutgoingEvent(
                endpoint,
                new EventKey(row.getString("event_key")),
                Columns.headers(row.getString("headers")),
                row.getBytes("body"));
        Instant claimed = Instant.ofEpochMilli(now);
        Instant roundBegan = Columns.instant(row, "round_began_at_ms").orElse(claimed);
        return new ClaimedEvent(
                row.getLong("id"),
                owner,
                event,
                new ClaimedEvent.Round(row.getInt("attempts") + 1, roundBegan, Duration.between(roundBegan, claimed)));
    }

    private void take(List<ClaimedEvent> events, long now, long leaseEnd) throws SQLException {
        PreparedQuery claim = session.prepare(CLAIM);
        for (ClaimedEvent event : events) {
            claim.text(event.owner())
                    .number(leaseEnd)
                    .number(now)
                    .number(now)
                    .number(event.id())
                    .addToBatch();
        }
        for (int count : claim.updateBatch()) {
            if (count != 1) {
                throw new SQLException("a row vanished inside its transaction");
            }
        }
    }

    boolean renew(ClaimedEvent event, Duration lease) throws SQLException {
        return session.prepare(RENEW)
                        .number(session.now() + lease.toMillis())
                        .number(event.id())
                        .text(event.owner())
                        .update()
                == 1;
    }
}
