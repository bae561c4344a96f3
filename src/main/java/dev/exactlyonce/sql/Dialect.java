package dev.exactlyonce.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;

/**
 * Where the databases differ.
 *
 * @param locked at the end of a SELECT: its rows are this transaction's until its end
 * @param skippingLocked the same, without those that are another one's
 * @param clock by which leases are set and judged
 */
public record Dialect(String locked, String skippingLocked, Clock clock) {
    /** The time of the database, as an SQL expression of PostgreSQL: as it is now and not at the transaction's begin. */
    public static final String POSTGRES_MILLIS = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)";

    /** The clock of a database. */
    @FunctionalInterface
    public interface Clock {
        /** Milliseconds since 1970. */
        long now(Session session) throws SQLException;
    }

    /**
     * Its transactions have the file to themselves, and its processes are on one machine.
     *
     * @param clock the file's own
     */
    public static Dialect sqlite(InstantSource clock) {
        return new Dialect("", "", session -> clock.millis());
    }

    /** Its replicas' clocks may differ: its own counts. */
    public static Dialect postgres() {
        return new Dialect(" FOR UPDATE", " FOR UPDATE SKIP LOCKED", Dialect::databaseTime);
    }

    private static long databaseTime(Session session) throws SQLException {
        try (ResultSet row = session.prepare("SELECT " + POSTGRES_MILLIS).query()) {
            row.next();
            return row.getLong(1);
        }
    }
}
