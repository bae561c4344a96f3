package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.sender.sql.Pool;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A PostgreSQL for the tests of this package; time passes by moving what is due. */
final class KeyDatabase {
    private static final KeyDatabase RUNNING = new KeyDatabase();

    private final EmbeddedPostgres server;
    private DataSource pool;

    private KeyDatabase() {
        try {
            server = EmbeddedPostgres.start(); // ended with this process
            pool = new Pool(server.getPostgresDatabase()).pooled();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same server each time, without the table. */
    static KeyDatabase fresh() {
        RUNNING.execute("DROP TABLE IF EXISTS exactly_once");
        RUNNING.execute("DROP SEQUENCE IF EXISTS exactly_once_fence");
        RUNNING.execute("ALTER DATABASE postgres RESET ALL");
        RUNNING.reconnect();
        return RUNNING;
    }

    DataSource source() {
        return pool;
    }

    /** For what is set for the database's new connections. */
    void reconnect() {
        pool = new Pool(server.getPostgresDatabase()).pooled();
    }

    JdbcStore store(Duration timeout) {
        return new JdbcStore(source(), "exactly_once", SchemaPolicy.CREATE, Duration.ofMillis(500), timeout);
    }

    void letPass(Duration time) {
        execute("UPDATE exactly_once SET expires_at_ms = expires_at_ms - " + time.toMillis());
    }

    void execute(String sql) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
