package dev.exactlyonce.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * Connects without {@code java.sql.DriverManager}. The driver's class {@code org.sqlite.JDBC}, which its data source uses,
 * registers itself there and is never deregistered: each redeployment would leave the application's class loader behind.
 */
public final class SqliteDriver {
    private static final String PREFIX = "jdbc:sqlite:";
    private static final String REGISTERED = "org.sqlite.JDBC";

    private SqliteDriver() {}

    /** A connection with the driver's own defaults. */
    public static Connection connect(Path file) throws SQLException {
        return connect(file, new Properties());
    }

    static Connection connect(Path file, Properties settings) throws SQLException {
        NativeLibrary.load();
        return new JDBC4Connection(PREFIX + file, file.toString(), settings);
    }

    /**
     * Deregisters the driver where {@code DriverManager} itself has loaded it from this application, as it does with every
     * driver that the application contains when the application's thread is the first to ask it for a connection. A driver
     * of another class loader stays. Only for a JVM that has used {@code DriverManager}: it would load drivers otherwise.
     */
    public static void deregister() throws SQLException {
        ClassLoader own = SqliteDriver.class.getClassLoader();
        List<Driver> drivers = DriverManager.drivers()
                .filter(it -> it.getClass().getName().equals(REGISTERED))
                .filter(it -> it.getClass().getClassLoader() == own)
                .toList();
        for (Driver driver : drivers) {
            DriverManager.deregisterDriver(driver);
        }
    }
}
