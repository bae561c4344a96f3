package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver in an application's own class loader, as a server makes one for each deployment. */
class SqliteDriverTest {
    @TempDir
    Path folder;

    /** With its own copy of the driver and of what uses it. */
    private static final class Application extends URLClassLoader {
        Application() throws MalformedURLException, URISyntaxException {
            super(new URL[] {placeOf(SqliteDriver.class), placeOf(org.sqlite.JDBC.class)}, platform());
        }

        private static URL placeOf(Class<?> type) throws URISyntaxException, MalformedURLException {
            return new File(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toURI()
                    .toURL();
        }

        private static ClassLoader platform() {
            return ClassLoader.getPlatformClassLoader();
        }

        Class<?> driver() throws ClassNotFoundException {
            return loadClass(SqliteDriver.class.getName());
        }
    }

    private WeakReference<ClassLoader> deployUseAndRemove(Use use) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Application application = new Application()) {
            thread.setContextClassLoader(application);
            use.with(application);
            return new WeakReference<>(application);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private interface Use {
        void with(Application application) throws Exception;
    }

    private void readAndWrite(Application application) throws Exception {
        Method connect = application.driver().getMethod("connect", Path.class);
        try (Connection connection = (Connection) connect.invoke(null, folder.resolve("some.db"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 1")) {
            assertThat(connection.getClass().getClassLoader()).isSameAs(application);
            assertThat(row.getInt(1)).isEqualTo(1);
        }
    }

    private static void awaitCollected(WeakReference<ClassLoader> loader) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return loader.refersTo(null);
        });
    }

    @Test
    void theClassLoaderOfARemovedApplicationIsCollected() throws Exception {
        awaitCollected(deployUseAndRemove(this::readAndWrite));
    }

    @Test
    void theApplicationsDriverIsTakenOutOfDriverManagerAndNoOther() throws Exception {
        Driver ours = DriverManager.getDriver("jdbc:sqlite:");

        awaitCollected(deployUseAndRemove(application -> {
            // As DriverManager does with each driver that it finds.
            Class.forName(org.sqlite.JDBC.class.getName(), true, application);
            readAndWrite(application);
            application.driver().getMethod("deregister").invoke(null);
        }));

        assertThat(DriverManager.getDriver("jdbc:sqlite:")).isSameAs(ours);
    }

    @Test
    void theNativeLibraryLeavesNoCopyInTheTemporaryFolder() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        System.setProperty("org.sqlite.tmpdir", temporary.toString());
        try {
            deployUseAndRemove(this::readAndWrite);
        } finally {
            System.clearProperty("org.sqlite.tmpdir");
        }

        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aFileThatCannotBeOpenedIsTold() {
        assertThatThrownBy(() -> SqliteDriver.connect(folder)).isInstanceOf(SQLException.class);
    }
}
