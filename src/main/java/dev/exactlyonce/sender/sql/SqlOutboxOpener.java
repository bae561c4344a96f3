package dev.exactlyonce.sender.sql;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.spi.OutboxOpener;
import dev.exactlyonce.sqlite.SqliteDriver;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Optional;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens an outbox by the path of its file, or by a JDBC URL with user and password in it or in the driver's own settings. */
public final class SqlOutboxOpener implements OutboxOpener {
    @Override
    public Optional<Outbox> open(String where) {
        if (where.startsWith("jdbc:postgresql:")) {
            return Optional.of(SqlOutbox.postgres(new DriverSource(where)));
        }
        try {
            Path path = Path.of(where);
            if (!Files.isRegularFile(path)) {
                throw new IllegalArgumentException("there is no such file");
            }
            if (isOfSomethingElse(path)) {
                throw new IllegalArgumentException("there is no outbox in this file");
            }
            return Optional.of(SqlOutbox.sqlite(
                    new SqliteSettings(path, SqliteSettings.DEFAULT_TIMEOUT, SqliteSettings.FileSystem.ANY),
                    MachineClocks.system()));
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /** False for a file that cannot be read now: opening it reports why. */
    private static boolean isOfSomethingElse(Path path) {
        try (Connection connection = SqliteDriver.connect(path);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'exactly_once_outbox'")) {
            return !row.next();
        } catch (SQLException unreadable) {
            return false;
        }
    }

    /** One connection after another: a command needs no pool. */
    private record DriverSource(String url) implements DataSource {
        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(url);
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return DriverManager.getConnection(url, user, password);
        }

        @Override
        public @Nullable PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(@Nullable PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("wraps nothing");
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }

        /** Without the URL, which may hold a password. */
        @Override
        public String toString() {
            return "data source";
        }
    }
}
