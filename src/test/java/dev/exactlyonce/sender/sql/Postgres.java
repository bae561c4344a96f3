package dev.exactlyonce.sender.sql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.sql.DataSource;

/**
 * A PostgreSQL for all tests of this process, whose clock stands still until a test moves it: {@code clock_timestamp} is
 * found in the schema {@code public} first.
 */
final class Postgres {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Postgres RUNNING = new Postgres();

    private final EmbeddedPostgres server;
    private final DataSource source;
    private Instant now = START;

    private Postgres() {
        try {
            server = EmbeddedPostgres.start(); // ended with this process
            prepare(server.getPostgresDatabase());
            source = new Pool(server.getPostgresDatabase()).pooled();
            execute("CREATE TABLE clock (at TIMESTAMPTZ NOT NULL)");
            execute("INSERT INTO clock VALUES (now())");
            execute("GRANT SELECT ON clock TO PUBLIC");
            execute("""
                    CREATE FUNCTION public.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE SQL VOLATILE
                    AS 'SELECT at FROM public.clock'""");
            execute("CREATE ROLE clerk LOGIN");
            execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void prepare(DataSource unprepared) throws SQLException {
        try (Connection connection = unprepared.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE postgres SET search_path = public, pg_catalog");
        }
    }

    /** The same server each time, at the same time, without the tables. */
    static Postgres fresh() throws SQLException {
        RUNNING.execute("DROP TABLE IF EXISTS exactly_once_outbox, exactly_once_endpoint");
        RUNNING.set(START);
        return RUNNING;
    }

    DataSource source() {
        return source;
    }

    /** Of a role that may not make tables. */
    DataSource sourceOfAClerk() {
        return server.getDatabase("clerk", "postgres");
    }

    DataSource sourceOfNoDatabase() {
        return server.getDatabase("postgres", "missing");
    }

    Instant now() {
        return now;
    }

    void advance(Duration time) throws SQLException {
        set(now.plus(time));
    }

    private void set(Instant time) throws SQLException {
        try (Connection connection = source().getConnection();
                PreparedStatement update = connection.prepareStatement("UPDATE clock SET at = ?")) {
            update.setObject(1, time.atOffset(ZoneOffset.UTC));
            update.executeUpdate();
        }
        now = time;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
