package dev.exactlyonce.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/** Opens the file, and brings its tables up to this version. */
final class SqliteConnections {
    private static final int PAGES_TO_A_CHECKPOINT = 8_192;
    private static final int CACHE_KIB = 32 * 1024;
    private static final int PRIMARY_CODE = 0xff;
    private static final Duration RETRY_OPEN = Duration.ofMillis(5);

    private SqliteConnections() {}

    /** A connection in WAL and {@code synchronous=FULL}, with the tables of this version. */
    static Connection connect(SqliteSettings settings, Schema schema) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL); // a record must survive a power cut
        config.setBusyTimeout((int) settings.timeout().toMillis());
        config.setCacheSize(-CACHE_KIB);
        config.setGetGeneratedKeys(false); // else each INSERT is followed by a query for them
        Connection connection = connect(
                settings.path(),
                config.toProperties(),
                System.nanoTime() + settings.timeout().toNanos());
        try {
            checkpointSeldom(connection);
            migrate(connection, schema);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Turning a new file into WAL is refused at once, whatever the busy timeout, while another process does the same. */
    private static Connection connect(Path file, Properties config, long deadline) throws SQLException {
        while (true) {
            try {
                return SqliteDriver.connect(file, config);
            } catch (SQLException e) {
                if (!isBusy(e) || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_OPEN.toNanos());
            }
        }
    }

    /** Whether another connection or process has the file locked: it is a matter of time. */
    static boolean isBusy(SQLException e) {
        return (e.getErrorCode() & PRIMARY_CODE) == SQLiteErrorCode.SQLITE_BUSY.code;
    }

    /** Whether the file is not a sound database. */
    static boolean isDamage(Throwable fault) {
        int code = fault instanceof SQLException sql ? sql.getErrorCode() & PRIMARY_CODE : 0;
        return code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code;
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

    private static void migrate(Connection connection, Schema schema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (isOutdated(statement, schema)) {
                statement.execute(
                        "BEGIN IMMEDIATE"); // of several processes that open the file, one brings it up to date
                try {
                    if (isOutdated(statement, schema)) {
                        for (String sql : schema.statements()) {
                            statement.executeUpdate(sql);
                        }
                        statement.executeUpdate("PRAGMA user_version = " + schema.version());
                    }
                    statement.execute("COMMIT");
                } catch (SQLException | RuntimeException | Error failed) {
                    statement.execute("ROLLBACK");
                    throw failed;
                }
            }
        }
    }

    private static boolean isOutdated(Statement statement, Schema schema) throws SQLException {
        try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
            int version = row.getInt(1);
            if (version > schema.version()) {
                throw new NewerFileException();
            }
            return version < schema.version();
        }
    }
}
