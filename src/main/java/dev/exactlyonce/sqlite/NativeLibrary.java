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
 * Loads SQLite's native library. The driver copies it to the temporary folder for every class loader and leaves the copy
 * there until the JVM exits normally: one file of 1 to 2 MB for each redeployment and each crash. Linux lets a file be
 * deleted while it is mapped, so there the copy is deleted as soon as it is loaded; elsewhere it stays as the driver leaves it.
 */
final class NativeLibrary {
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    /** The end of a line of the mappings, when it is a copy that the driver made. */
    private static final Pattern COPY = Pattern.compile("(/.*/sqlite-[^/]+-[0-9a-f-]{36}-[^/]+)$");

    /**
     * The driver's loggers where there is no SLF4J. Open Liberty's logger keeps the class that asked for it first, and each
     * redeployment finds the logger there again: a class of the driver would keep the first application's class loader as
     * long as there is a next one. So they are asked for here, by way of the JDK, and kept.
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

    /** Does nothing when it is loaded. A failure is the driver's to report, when a connection is opened. */
    @SuppressWarnings("CatchingUnchecked") // the driver declares Exception, and an Error means that there is no library
    static synchronized void load() {
        if (isLoaded) {
            return;
        }
        Set<Path> before = copies();
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader()); // the driver runs a command, see below
        try {
            isLoaded = SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError reportedLater) {
            return;
        } finally {
            thread.setContextClassLoader(context);
        }
        Set<Path> loaded = copies();
        loaded.removeAll(before);
        loaded.forEach(NativeLibrary::delete);
    }

    /** The driver's copies that this process has mapped. */
    private static Set<Path> copies() {
        Set<Path> copies = new HashSet<>();
        try (Stream<String> lines = Files.lines(MAPPINGS)) {
            lines.map(COPY::matcher).filter(Matcher::find).forEach(it -> copies.add(Path.of(it.group(1))));
        } catch (IOException | RuntimeException notLinux) {
            copies.clear();
        }
        return copies;
    }

    /** With the driver's lock file, which tells a copy from a library that was installed under such a name. */
    private static void delete(Path copy) {
        Path lock = copy.resolveSibling(copy.getFileName() + ".lck");
        try {
            if (Files.deleteIfExists(lock)) {
                Files.deleteIfExists(copy);
            }
        } catch (IOException stays) {
            // as the driver leaves it
        }
    }
}
