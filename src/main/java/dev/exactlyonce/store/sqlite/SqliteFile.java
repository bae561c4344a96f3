package dev.exactlyonce.store.sqlite;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/** Opens the file, and brings its table up to this version. */
final class SqliteFile {
    static final int SCHEMA_VERSION = 1;

    private static final int PAGES_TO_A_CHECKPOINT = 8_192;
    private static final int CACHE_KIB = 32 * 1024;
    private static final int PRIMARY_CODE = 0xff;
    private static final Duration RETRY_OPEN = Duration.ofMillis(5);

    private SqliteFile() {}

    /** A connection in WAL and {@code synchronous=FULL}, with the table of this version. */
    static Connection open(SqliteSettings settings) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL); // a record must survive a power cut
        config.setBusyTimeout((int) settings.timeout().toMillis());
        config.setCacheSize(-CACHE_KIB);
        config.setGetGeneratedKeys(false); // else each INSERT is followed by a query for them
        SQLiteDataSource source = new SQLiteDataSource(config); // DriverManager forgets the driver on a redeployment
        source.setUrl("jdbc:sqlite:" + settings.path());
        Connection connection =
                connect(source, System.nanoTime() + settings.timeout().toNanos());
        try {
            checkpointSeldom(connection);
            migrate(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Turning a new file into WAL is refused at once, whatever the busy timeout, while another process does the same. */
    private static Connection connect(SQLiteDataSource source, long deadline) throws SQLException {
        while (true) {
            try {
                return source.getConnection();
            } catch (SQLException e) {
                boolean busy = (e.getErrorCode() & PRIMARY_CODE) == SQLiteErrorCode.SQLITE_BUSY.code;
                if (!busy || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_OPEN.toNanos());
            }
        }
    }

    /**
     * A checkpoint flushes the file itself, which no caller waits for but all wait behind; seldom, it moves a page that was
     * written often once. The log beside the file grows to 32 MiB, and is read again after a crash.
     */
    private static void checkpointSeldom(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_autocheckpoint = " + PAGES_TO_A_CHECKPOINT);
        }
    }

    private static void migrate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int version;
            try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
                version = row.getInt(1);
            }
            if (version == SCHEMA_VERSION) {
                return;
            }
            if (version > SCHEMA_VERSION) {
                throw new SQLException("the file was written by a newer version of this library");
            }
            statement.executeUpdate("""
                    CREATE TABLE IF NOT EXISTS exactly_once (
                      id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE,
                      key TEXT NOT NULL, value TEXT NOT NULL, expires_at_ms INTEGER NOT NULL
                    )""");
            statement.executeUpdate(
                    "CREATE INDEX IF NOT EXISTS exactly_once_expires_at ON exactly_once (expires_at_ms)");
            statement.executeUpdate("PRAGMA user_version = " + SCHEMA_VERSION);
        }
    }
}
