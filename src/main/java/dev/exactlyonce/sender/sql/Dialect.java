package dev.exactlyonce.sender.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Where the databases differ.
 *
 * @param schema makes the tables; changes nothing that is there
 * @param locked at the end of a SELECT: its rows are this transaction's until its end
 * @param skippingLocked the same, without those that are another one's
 * @param clock by which leases are set and judged
 */
record Dialect(List<String> schema, String locked, String skippingLocked, Clock clock) {
    @FunctionalInterface
    interface Clock {
        /** Milliseconds since 1970. */
        long now(Session session) throws SQLException;
    }

    /**
     * Its transactions have the file to themselves, and its processes are on one machine.
     *
     * @param clock the file's own
     */
    static Dialect sqlite(InstantSource clock) {
        return new Dialect(schemaOfSqlite(), "", "", session -> clock.millis());
    }

    static List<String> schemaOfSqlite() {
        return read("outbox-sqlite.sql");
    }

    /** Its replicas' clocks may differ: its own counts, as it is now and not at the transaction's begin. */
    static Dialect postgres() {
        return new Dialect(
                read("outbox-postgresql.sql"), " FOR UPDATE", " FOR UPDATE SKIP LOCKED", Dialect::databaseTime);
    }

    private static long databaseTime(Session session) throws SQLException {
        try (ResultSet row = session.prepare(
                        "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)")
                .query()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<String> read(String resource) {
        try (InputStream file = Objects.requireNonNull(Dialect.class.getResourceAsStream(resource))) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split(";"))
                    .map(String::strip)
                    .filter(it -> !it.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
