package dev.exactlyonce.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A script that makes tables and changes nothing that is there.
 *
 * @param tables that are there when the script has run
 * @param statements of the script, in order
 */
public record SchemaScript(List<String> tables, List<String> statements) {
    /** Any number that no other software takes; replicas that start together make the tables one after the other. */
    private static final long MAKING_TABLES = 0x6578_6163_746c_79L;

    /** @param beside the class in whose package the script is */
    public static SchemaScript read(Class<?> beside, String resource, List<String> tables) {
        try (InputStream file = Objects.requireNonNull(beside.getResourceAsStream(resource))) {
            return new SchemaScript(tables, split(new String(file.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> split(String text) {
        return Arrays.stream(text.split(";"))
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .toList();
    }

    /** Makes the tables in PostgreSQL, unless all are there: then the role need not be allowed to make them. */
    public void createInPostgres(Session session) throws SQLException {
        if (areThere(session)) {
            return;
        }
        session.prepare("SELECT pg_advisory_xact_lock(?)")
                .number(MAKING_TABLES)
                .query()
                .close();
        for (String sql : statements) {
            session.prepare(sql).update();
        }
    }

    private boolean areThere(Session session) throws SQLException {
        for (String table : tables) {
            try (ResultSet row = session.prepare("SELECT to_regclass(?) IS NOT NULL")
                    .text(table)
                    .query()) {
                row.next();
                if (!row.getBoolean(1)) {
                    return false;
                }
            }
        }
        return true;
    }
}
