package dev.exactlyonce.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * Where the file is, and how long a caller waits for it.
 *
 * @param path the database file; its folder exists, can be written and is on a local file system
 * @param timeout how long an operation may wait for the disk, then it counts as unavailable; 10 ms to 60 s
 */
public record SqliteSettings(Path path, Duration timeout) {
    /** Long enough for a checkpoint on a slow disk, short enough for a sender that waits. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** SQLite's locks and shared memory do not work across a network: https://www.sqlite.org/wal.html, section 1. */
    private static final Set<String> NETWORK = Set.of("9p", "fuse.sshfs");

    public SqliteSettings {
        if (timeout.toMillis() < 10 || timeout.toSeconds() > 60) {
            throw new IllegalArgumentException("timeout must be PT0.01S to PT60S, was " + timeout);
        }
        path = path.toAbsolutePath();
        Path folder = path.getParent();
        if (folder == null || Files.isDirectory(path)) {
            throw new IllegalArgumentException("names a folder, a file is needed");
        }
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("its folder does not exist");
        }
        if (!Files.isWritable(folder) || (Files.exists(path) && !Files.isWritable(path))) {
            throw new IllegalArgumentException("cannot be written by this server");
        }
        String type = typeOf(folder);
        if (isNetwork(type)) {
            throw new IllegalArgumentException("is on a network file system (" + type + "), SQLite needs a local one");
        }
    }

    /** Whether sqlite-jdbc is there: an application may leave it out. */
    public static boolean isDriverThere() {
        try {
            Class.forName("org.sqlite.SQLiteConfig", false, SqliteSettings.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError leftOut) {
            return false;
        }
    }

    /** Whether both name one file, by whatever way. */
    public boolean isSameFileAs(SqliteSettings other) {
        return real(path).equals(real(other.path));
    }

    private static Path real(Path path) {
        try {
            return Files.exists(path)
                    ? path.toRealPath()
                    : path.resolveSibling(".").toRealPath().resolve(path.getFileName());
        } catch (IOException unreadable) {
            return path.normalize();
        }
    }

    /** Whether files on such a file system are shared over a network. */
    static boolean isNetwork(String fileSystemType) {
        String type = fileSystemType.toLowerCase(Locale.ROOT);
        return type.startsWith("nfs") || type.startsWith("cifs") || type.startsWith("smb") || NETWORK.contains(type);
    }

    private static String typeOf(Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
