package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sql.PreparedQuery;
import dev.exactlyonce.sql.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows of dead letters. Each method runs inside a transaction. */
final class DeadRows {
    private static final String SELECT = """
            SELECT id, endpoint, event_key, state, first_attempt_at_ms, dead_since_ms, not_before_ms, replayed_at_ms, error,
              headers, history, body FROM exactly_once_outbox WHERE\s""";

    private static final String SELECT_ONE =
            SELECT + "id = ? AND dead_since_ms IS NOT NULL AND state NOT IN ('done', 'moved')";

    static final String SELECT_PAGE = SELECT + "state = 'dead' AND id > ? AND dead_since_ms >= ? AND dead_since_ms < ?";

    private static final String SELECT_TIMES = """
            SELECT state, first_attempt_at_ms, not_before_ms, replayed_at_ms FROM exactly_once_outbox WHERE id = ?""";

    private static final String REPLAY = """
            UPDATE exactly_once_outbox SET state = 'waiting', due_at_ms = ?, replayed_at_ms = ?, attempts = 0,
              round_began_at_ms = NULL
            WHERE id = ? AND state = 'dead'""";

    private static final String DISCARD = """
            UPDATE exactly_once_outbox SET state = 'done', done_at_ms = ?, headers = '', body = ?
            WHERE id = ? AND state = 'dead'""";

    private static final String MOVED = """
            UPDATE exactly_once_outbox SET state = 'moved', done_at_ms = ?, headers = '', history = '', body = ?
            WHERE id = ? AND state = 'dead' AND dead_since_ms = ?""";

    private static final String RESTORE = """
            INSERT INTO exactly_once_outbox (endpoint, event_key, state, due_at_ms, attempts, first_attempt_at_ms,
              created_at_ms, dead_since_ms, not_before_ms, replayed_at_ms, error, headers, history, body)
            VALUES (?, ?, 'waiting', ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (endpoint, event_key) DO UPDATE SET state = 'waiting', due_at_ms = excluded.due_at_ms,
              attempts = 0, round_began_at_ms = NULL, first_attempt_at_ms = excluded.first_attempt_at_ms,
              dead_since_ms = excluded.dead_since_ms, not_before_ms = excluded.not_before_ms,
              replayed_at_ms = excluded.replayed_at_ms, done_at_ms = NULL, error = excluded.error,
              headers = excluded.headers, history = excluded.history, body = excluded.body
            WHERE exactly_once_outbox.state = 'moved'""";

    private static final byte[] NOTHING = {};

    /** The bodies of a page are in memory together; it ends with the entry that reaches this. */
    private static final int MOST_PAGE_BYTES = 16 << 20;

    private static final int FETCHED_TOGETHER = 10;

    private final Session session;

    DeadRows(Session session) {
        this.session = session;
    }

    List<DeadLetter> list(DeadLetters.Filter filter, long after) throws SQLException {
        PreparedQuery select = session.prepare(SELECT_PAGE + (filter.endpoint().isPresent() ? " AND endpoint = ?" : "")
                        + " ORDER BY id LIMIT ?")
                .number(after)
                .number(filter.from().map(DeadRows::millis).orElse(Long.MIN_VALUE))
                .number(filter.to().map(DeadRows::millis).orElse(Long.MAX_VALUE));
        if (filter.endpoint().isPresent()) {
            select.text(filter.endpoint().get());
        }
        List<DeadLetter> letters = new ArrayList<>();
        int bytes = 0;
        try (ResultSet row =
                select.number(filter.limit()).fetching(FETCHED_TOGETHER).query()) {
            while (bytes < MOST_PAGE_BYTES && row.next()) {
                DeadLetter letter = letter(row);
                letters.add(letter);
                bytes += letter.event().body().length;
            }
        }
        return letters;
    }

    Optional<DeadLetter> get(long id) throws SQLException {
        try (ResultSet row = session.prepare(SELECT_ONE).number(id).query()) {
            return row.next() ? Optional.of(letter(row)) : Optional.empty();
        }
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        OutgoingEvent event = new OutgoingEvent(
                row.getString("endpoint"),
                new EventKey(row.getString("event_key")),
                Columns.headers(row.getString("headers")),
                row.getBytes("body"));
        Instant since = Instant.ofEpochMilli(row.getLong("dead_since_ms"));
        return DeadLetter.builder(Long.toString(row.getLong("id")), event, row.getString("error"), since)
                .attempts(Columns.history(row.getString("history")))
                .firstAttempt(Columns.instant(row, "first_attempt_at_ms"))
                .notBefore(Columns.instant(row, "not_before_ms"))
                .replayed(Columns.instant(row, "replayed_at_ms"))
                .build();
    }

    DeadLetters.Replay replay(long id, Optional<Duration> window) throws SQLException {
        long now = session.now();
        long due;
        try (ResultSet row = session.prepare(SELECT_TIMES + session.dialect().locked())
                .number(id)
                .query()) {
            if (!row.next()) {
                return DeadLetters.Replay.UNKNOWN;
            }
            if (!row.getString("state").equals("dead")) {
                return withoutDeath(row);
            }
            if (isOlder(Columns.instant(row, "first_attempt_at_ms"), window, now)) {
                return DeadLetters.Replay.NEEDS_FORCE;
            }
            due = Math.max(now, row.getLong("not_before_ms"));
        }
        session.prepare(REPLAY).number(due).number(now).number(id).update();
        return DeadLetters.Replay.REPLAYED;
    }

    private static DeadLetters.Replay withoutDeath(ResultSet row) throws SQLException {
        boolean isMoved = row.getString("state").equals("moved");
        boolean isOver = row.getString("state").equals("done");
        boolean wasReplayed = Columns.instant(row, "replayed_at_ms").isPresent();
        return isMoved || (isOver && !wasReplayed) ? DeadLetters.Replay.UNKNOWN : DeadLetters.Replay.ALREADY_REPLAYED;
    }

    private static boolean isOlder(Optional<Instant> first, Optional<Duration> window, long now) {
        return first.isPresent()
                && window.isPresent()
                && first.get().plus(window.get()).isBefore(Instant.ofEpochMilli(now));
    }

    boolean discard(long id) throws SQLException {
        return session.prepare(DISCARD)
                        .number(session.now())
                        .bytes(NOTHING)
                        .number(id)
                        .update()
                == 1;
    }

    boolean moved(long id, Instant since) throws SQLException {
        return session.prepare(MOVED)
                        .number(session.now())
                        .bytes(NOTHING)
                        .number(id)
                        .number(since.toEpochMilli())
                        .update()
                == 1;
    }

    DeadLetters.Replay restore(DeadLetter letter, Optional<Duration> window) throws SQLException {
        long now = session.now();
        if (isOlder(letter.firstAttempt(), window, now)) {
            return DeadLetters.Replay.NEEDS_FORCE;
        }
        long due = Math.max(now, letter.notBefore().map(Instant::toEpochMilli).orElse(now));
        int restored = session.prepare(RESTORE)
                .text(letter.endpoint())
                .text(letter.key().value())
                .number(due)
                .numberOrNull(letter.firstAttempt().map(Instant::toEpochMilli).orElse(null))
                .number(now)
                .number(letter.since().toEpochMilli())
                .numberOrNull(letter.notBefore().map(Instant::toEpochMilli).orElse(null))
                .number(now)
                .text(letter.error())
                .text(Columns.headers(letter.headers()))
                .text(Columns.history(letter.attempts()))
                .bytes(letter.event().body())
                .update();
        return restored == 1 ? DeadLetters.Replay.REPLAYED : DeadLetters.Replay.ALREADY_REPLAYED;
    }

    /** Of any instant, also one that no row can have. */
    private static long millis(Instant instant) {
        try {
            return instant.toEpochMilli();
        } catch (ArithmeticException beyond) {
            return instant.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
