package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.EventQueue.Enqueued;
import dev.exactlyonce.sql.PreparedQuery;
import dev.exactlyonce.sql.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of events, from their enqueue to their end. Each method runs inside a transaction. */
final class EventRows {
    private static final String INSERT = """
            INSERT INTO exactly_once_outbox (endpoint, event_key, state, due_at_ms, owner, attempts, round_began_at_ms,
              first_attempt_at_ms, created_at_ms, headers, history, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?)
            ON CONFLICT (endpoint, event_key) DO NOTHING RETURNING id""";

    /** Goes from one endpoint to the next in the index: as many steps as there are endpoints, however many rows. */
    static final String DUE_ENDPOINTS = """
            WITH RECURSIVE known (endpoint) AS (
              SELECT (SELECT endpoint FROM exactly_once_outbox WHERE due_at_ms IS NOT NULL
                ORDER BY endpoint LIMIT 1)
              UNION ALL
              SELECT (SELECT endpoint FROM exactly_once_outbox
                WHERE due_at_ms IS NOT NULL AND endpoint > known.endpoint ORDER BY endpoint LIMIT 1)
              FROM known WHERE known.endpoint IS NOT NULL)
            SELECT endpoint FROM known WHERE EXISTS (
              SELECT 1 FROM exactly_once_outbox WHERE endpoint = known.endpoint AND due_at_ms <= ?)""";

    static final String COUNT_OPEN = """
            SELECT endpoint, count(*) FROM exactly_once_outbox WHERE due_at_ms IS NOT NULL GROUP BY endpoint""";

    static final String SELECT_ENDED =
            "SELECT id FROM exactly_once_outbox WHERE done_at_ms < ? ORDER BY done_at_ms LIMIT ?";

    private final Session session;

    EventRows(Session session) {
        this.session = session;
    }

    /** @param owner of a claim for the first attempt, for this lease; without them it waits */
    Enqueued insert(OutgoingEvent event, String headers, String owner, Optional<Duration> lease) throws SQLException {
        long now = session.now();
        boolean isClaimed = lease.isPresent();
        @Nullable Long began = isClaimed ? now : null;
        PreparedQuery insert = session.prepare(INSERT)
                .text(event.endpoint())
                .text(event.key().value())
                .text(isClaimed ? "claimed" : "waiting")
                .number(now + lease.map(Duration::toMillis).orElse(0L))
                .text(isClaimed ? owner : null)
                .number(isClaimed ? 1 : 0)
                .numberOrNull(began)
                .numberOrNull(began)
                .number(now)
                .text(headers)
                .bytes(event.body());
        try (ResultSet row = insert.query()) {
            if (!row.next()) {
                return new Enqueued.Known();
            }
            return isClaimed
                    ? new Enqueued.Claimed(new ClaimedEvent(
                            row.getLong(1),
                            owner,
                            event,
                            new ClaimedEvent.Round(1, Instant.ofEpochMilli(now), Duration.ZERO)))
                    : new Enqueued.Waiting();
        }
    }

    Set<String> dueEndpoints() throws SQLException {
        Set<String> endpoints = new HashSet<>();
        try (ResultSet row =
                session.prepare(DUE_ENDPOINTS).number(session.now()).query()) {
            while (row.next()) {
                endpoints.add(row.getString(1));
            }
        }
        return endpoints;
    }

    long countUndeclared(Collection<String> endpoints) throws SQLException {
        long count = 0;
        try (ResultSet row = session.prepare(COUNT_OPEN).query()) {
            while (row.next()) {
                count += endpoints.contains(row.getString(1)) ? 0 : row.getLong(2);
            }
        }
        return count;
    }

    int purge(Duration retention, int most) throws SQLException {
        String select = SELECT_ENDED + session.dialect().skippingLocked();
        return session.prepare("DELETE FROM exactly_once_outbox WHERE id IN (" + select + ")")
                .number(session.now() - retention.toMillis())
                .number(most)
                .update();
    }
}
