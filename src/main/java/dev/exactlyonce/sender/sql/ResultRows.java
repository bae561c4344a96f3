package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sql.PreparedQuery;
import dev.exactlyonce.sql.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes the results of claimed events, in the rows whose claim still holds. */
final class ResultRows {
    private enum RowResult {
        AGAIN("state = 'waiting', due_at_ms = ?"),
        DEAD("state = 'dead', due_at_ms = NULL, dead_since_ms = ?, error = ?, not_before_ms = ?"),
        DONE("state = 'done', due_at_ms = NULL, done_at_ms = ?, headers = '', body = ?");

        /**
         * Where no attempt was made, the counted one is taken back; where that was the first of its round, the round did not
         * begin, and where it was the first of all, none was made.
         */
        private static final String REST = """
                , attempts = attempts - ?,
                  round_began_at_ms = CASE WHEN attempts > ? THEN round_began_at_ms END,
                  first_attempt_at_ms = CASE WHEN attempts > ? OR history <> ''
                    OR first_attempt_at_ms <> round_began_at_ms THEN first_attempt_at_ms END,
                  history = history || ?
                WHERE id = ? AND owner = ? AND state = 'claimed'""";

        private final String sql;

        RowResult(String columns) {
            this.sql = "UPDATE exactly_once_outbox SET " + columns + REST;
        }

        static RowResult of(AttemptResult result) {
            if (result instanceof AttemptResult.RetryLater) {
                return AGAIN;
            }
            return result instanceof AttemptResult.Exhausted ? DEAD : DONE;
        }
    }

    private static final String IS_SETTLED =
            "SELECT 1 FROM exactly_once_outbox WHERE id = ? AND owner = ? AND state <> 'claimed'";

    private static final byte[] NOTHING = {};

    private final Session session;

    ResultRows(Session session) {
        this.session = session;
    }

    /** One answer each: whether the result is written, now or since an earlier call. */
    List<Boolean> settle(List<AttemptResult> results) throws SQLException {
        long now = session.now();
        List<Boolean> settled = new ArrayList<>(Collections.nCopies(results.size(), false));
        for (RowResult kind : RowResult.values()) {
            settle(kind, results, settled, now);
        }
        for (int i = 0; i < settled.size(); i++) {
            if (!settled.get(i)) {
                settled.set(i, isSettled(results.get(i).event()));
            }
        }
        return settled;
    }

    private void settle(RowResult kind, List<AttemptResult> results, List<Boolean> settled, long now)
            throws SQLException {
        List<Integer> places = new ArrayList<>();
        PreparedQuery update = session.prepare(kind.sql);
        for (int i = 0; i < results.size(); i++) {
            AttemptResult result = results.get(i);
            if (RowResult.of(result) == kind) {
                rest(columns(update, result, now), result).addToBatch();
                places.add(i);
            }
        }
        if (!places.isEmpty()) {
            int[] counts = update.updateBatch();
            for (int i = 0; i < counts.length; i++) {
                settled.set(places.get(i), counts[i] == 1);
            }
        }
    }

    private static PreparedQuery columns(PreparedQuery update, AttemptResult result, long now) throws SQLException {
        if (result instanceof AttemptResult.RetryLater again) {
            return update.number(now + again.delay().toMillis());
        }
        if (result instanceof AttemptResult.Exhausted dead) {
            return update.number(now)
                    .text(dead.error())
                    .numberOrNull(dead.notBefore().map(Instant::toEpochMilli).orElse(null));
        }
        return update.number(now).bytes(NOTHING);
    }

    private static PreparedQuery rest(PreparedQuery update, AttemptResult result) throws SQLException {
        int takenBack = result.made().isPresent() ? 0 : 1;
        return update.number(takenBack)
                .number(takenBack)
                .number(takenBack)
                .text(result.made().map(Columns::history).orElse(""))
                .number(result.event().id())
                .text(result.event().owner());
    }

    private boolean isSettled(ClaimedEvent event) throws SQLException {
        try (ResultSet row = session.prepare(IS_SETTLED)
                .number(event.id())
                .text(event.owner())
                .query()) {
            return row.next();
        }
    }
}
