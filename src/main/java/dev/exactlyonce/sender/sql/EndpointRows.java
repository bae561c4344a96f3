package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sql.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The rows of disabled endpoints. Each method runs inside a transaction. */
final class EndpointRows {
    private static final String INSERT = """
            INSERT INTO exactly_once_endpoint (name, reason, disabled_at_ms) VALUES (?, ?, ?)
            ON CONFLICT (name) DO NOTHING""";

    private static final String DELETE = "DELETE FROM exactly_once_endpoint WHERE name = ?";

    private static final String SELECT = "SELECT name, reason FROM exactly_once_endpoint";

    private final Session session;

    EndpointRows(Session session) {
        this.session = session;
    }

    /** Whether it was not disabled before; if it was, its first reason stays. */
    boolean disable(String endpoint, String reason) throws SQLException {
        return session.prepare(INSERT)
                        .text(endpoint)
                        .text(reason)
                        .number(session.now())
                        .update()
                == 1;
    }

    boolean enable(String endpoint) throws SQLException {
        return session.prepare(DELETE).text(endpoint).update() == 1;
    }

    Map<String, String> disabled() throws SQLException {
        Map<String, String> reasons = new HashMap<>();
        try (ResultSet row = session.prepare(SELECT).query()) {
            while (row.next()) {
                reasons.put(row.getString(1), row.getString(2));
            }
        }
        return reasons;
    }
}
