package dev.exactlyonce.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library so that nothing of it outlives the application.
 *
 * <p>The driver copies the library to the temporary folder for every class loader and leaves the copy there until the JVM
 * exits normally: a file of 1 to 2 MB for each redeployment and each crash. On Linux the copy is deleted as soon as it is
 * loaded; elsewhere a loaded file cannot be deleted or not be distinguished from others, and stays as the driver leaves it.
 *
 * <p>The driver runs a command ({@code uname}) to learn where it is. The JDK's thread that waits for such commands is kept
 * for a minute after the last one, with the context class loader of the thread that ran the first.
 */
final class NativeLibrary {
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    /** The end of a line of the mappings, when it is a copy that the driver made. */
    private static final Pattern COPY = Pattern.compile("/.*/sqlite-[^/]+-[0-9a-f-]{36}-[^/]+$");

    /**
     * The driver's loggers where there is no SLF4J, asked for by way of the JDK and kept. Open Liberty's logger keeps the
     * class that asked for it first, and each redeployment finds the logger there again: a class of the driver would keep the
     * first application's class loader as long as there is a next one.
     */
    @SuppressWarnings("unused")
    private static final List<System.Logger> LOGGERS = Stream.of(
                    "org.sqlite.SQLiteJDBCLoader",
                    "org.sqlite.SQLiteJDBCLoader$VersionHolder",
                    "org.sqlite.core.NativeDB",
                    "org.sqlite.util.OSInfo")
            .map(System::getLogger)
            .toList();

    private static boolean isLoaded;

    private NativeLibrary() {}

    /** Does nothing when it is loaded. What fails here fails again where a connection is opened, and is reported there. */
    static synchronized void load() {
        if (isLoaded) {
            return;
        }
        Set<Path> before = copies();
        initialize();
        Set<Path> loaded = copies();
        loaded.removeAll(before);
        loaded.forEach(NativeLibrary::delete);
    }

    private static void initialize() {
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            isLoaded = SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError reportedLater) {
            isLoaded = false;
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    /** The driver's copies that this process has mapped. */
    private static Set<Path> copies() {
        Set<Path> copies = new HashSet<>();
        try (Stream<String> lines = Files.lines(MAPPINGS)) {
            lines.map(COPY::matcher).filter(Matcher::find).forEach(it -> copies.add(Path.of(it.group())));
        } catch (IOException | RuntimeException notLinux) {
            return new HashSet<>();
        }
        return copies;
    }

    /** With the driver's lock file, which distinguishes a copy from a library that was installed under such a name. */
    private static void delete(Path copy) {
        try {
            if (Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + ".lck"))) {
                Files.deleteIfExists(copy);
            }
        } catch (IOException stays) {
            // as the driver leaves it
        }
    }
}
