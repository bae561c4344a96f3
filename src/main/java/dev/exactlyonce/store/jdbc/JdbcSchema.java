package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.sql.SchemaScript;
import dev.exactlyonce.sql.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The table that the store needs, and how it differs from the one that is there. Immutable. */
final class JdbcSchema {
    private static final Map<String, String> COLUMNS = new TreeMap<>(Map.of(
            "digest", "bytea",
            "idempotency_key", "text",
            "value", "text",
            "fence", "int8",
            "expires_at_ms", "int8"));

    private final String table;
    private final SchemaScript script;

    JdbcSchema(String table) {
        this.table = table;
        SchemaScript read = SchemaScript.read(
                JdbcSchema.class, "V1__postgresql.sql", List.of(table, table + "_expires_at", table + "_fence"));
        this.script = new SchemaScript(
                read.tables(),
                read.statements().stream()
                        .map(it -> it.replace("${table}", table))
                        .toList());
    }

    void create(Session session) throws SQLException {
        script.createInPostgres(session);
    }

    /** What differs, without the data source's address; empty where nothing does. */
    Optional<String> difference(Session session) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        try (ResultSet row = session.prepare("""
                SELECT attname, typname FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
                WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped""").text(table).query()) {
            while (row.next()) {
                found.put(row.getString(1), row.getString(2));
            }
        }
        if (found.isEmpty()) {
            return Optional.of("the table " + table + " is not there");
        }
        for (Map.Entry<String, String> needed : COLUMNS.entrySet()) {
            String type = found.get(needed.getKey());
            if (!needed.getValue().equals(type)) {
                return Optional.of("the column " + needed.getKey() + " of the table " + table
                        + (type == null ? " is not there" : " is of the type " + type + ", not " + needed.getValue()));
            }
        }
        return hasSequence(session) ? Optional.empty() : Optional.of("the sequence " + table + "_fence is not there");
    }

    private boolean hasSequence(Session session) throws SQLException {
        try (ResultSet row = session.prepare("SELECT to_regclass(?) IS NOT NULL")
                .text(table + "_fence")
                .query()) {
            row.next();
            return row.getBoolean(1);
        }
    }
}
