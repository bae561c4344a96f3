package dev.exactlyonce.deploy;

import dev.exactlyonce.sqlite.SqliteDriver;
import dev.exactlyonce.sqlite.SqliteSettings;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.Extension;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.runtime.ObjectMethods;
import java.sql.SQLException;
import java.util.List;

/** At the very end, lets the class loader of an application that is removed be collected. */
public class UnloadingExtension implements Extension {
    private static final System.Logger LOG = System.getLogger(UnloadingExtension.class.getName());
    private static final List<String> RECORD_METHODS = List.of("equals", "hashCode", "toString");

    void end(@Observes BeforeShutdown event, BeanManager manager) {
        if (hasUsedDriverManager(manager) && SqliteSettings.isDriverThere()) {
            deregisterSqlite();
        }
        forgetRecords();
    }

    /** PostgreSQL's data sources connect through it. */
    private static boolean hasUsedDriverManager(BeanManager manager) {
        return manager.getExtension(ExactlyOnceExtension.class).sendsFromDataSource();
    }

    private static void deregisterSqlite() {
        try {
            SqliteDriver.deregister();
        } catch (SQLException | RuntimeException refused) {
            LOG.log(Level.DEBUG, "DriverManager keeps the SQLite driver of this application", refused);
        }
    }

    /**
     * The method handles that Java 17 makes a record's methods from keep the last type that each was adapted to (JDK-8078641,
     * solved in Java 18). That is a class of this application when its record was the last; so they are adapted to one of the
     * JDK's.
     */
    private static void forgetRecords() {
        MethodHandle component = MethodHandles.identity(String.class);
        try {
            for (String method : RECORD_METHODS) {
                ObjectMethods.bootstrap(
                        MethodHandles.lookup(), method, MethodHandle.class, String.class, "it", component);
            }
        } catch (Throwable otherJava) { // declared by the JDK
            LOG.log(Level.DEBUG, "the JDK may keep a class of this application", otherJava);
        }
    }
}
