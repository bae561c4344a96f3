package dev.exactlyonce.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * Connects without {@code java.sql.DriverManager}. The driver's class {@code org.sqlite.JDBC}, which its data source uses,
 * registers itself there and is never deregistered: each redeployment would leave the application's class loader behind.
 */
public final class SqliteDriver {
    private static final String PREFIX = "jdbc:sqlite:";

    private SqliteDriver() {}

    /** A connection with the driver's own defaults. */
    public static Connection connect(Path file) throws SQLException {
        return connect(file, new Properties());
    }

    static Connection connect(Path file, Properties settings) throws SQLException {
        NativeLibrary.load();
        return new JDBC4Connection(PREFIX + file, file.toString(), settings);
    }
}
