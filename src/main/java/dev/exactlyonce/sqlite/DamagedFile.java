package dev.exactlyonce.sqlite;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What is left under a file's name after another program has changed it. Nothing is ever deleted. */
final class DamagedFile {
    private static final System.Logger LOG = System.getLogger(DamagedFile.class.getName());

    /** Of a program that copies a file here, between two of its writes. */
    private static final Duration QUIET = Duration.ofMillis(500);

    private static final Duration LONGEST_WRITING = Duration.ofSeconds(10);

    private DamagedFile() {}

    /**
     * Renames it, with its log, when it is there and is not a sound database, neither alone nor with its log: that may hold
     * every page that was damaged.
     *
     * @param log a copy of the log, which is empty now
     * @param orphans logs of a file that is no longer under this name: renamed first, since SQLite would apply them to the
     *     one that is
     */
    static void setAside(Path path, Optional<Path> log, List<Path> orphans) {
        awaitQuiet(path);
        String suffix = ".damaged-" + System.currentTimeMillis();
        if (!rename(orphans, suffix) || !Files.exists(path) || isSound(path) || isSoundWith(log, path)) {
            return;
        }
        List<Path> parts = Stream.of("", "-wal", "-shm")
                .map(it -> path.resolveSibling(path.getFileName() + it))
                .toList();
        if (!rename(parts, suffix)) {
            return; // it stays unavailable, and says why
        }
        LOG.log(
                Level.WARNING,
                "EXON0203 the damaged SQLite file was renamed to its name and {0}; a new file is made",
                suffix);
    }

    private static boolean isSoundWith(Optional<Path> log, Path path) {
        try {
            if (log.isPresent()) {
                Files.copy(log.get(), path.resolveSibling(path.getFileName() + "-wal"), REPLACE_EXISTING);
            }
            return log.isPresent() && isSound(path);
        } catch (IOException stays) {
            LOG.log(Level.DEBUG, "the log of a damaged SQLite file could not be put back", stays);
            return false;
        }
    }

    /** Another program may be writing it still: what it has written so far is not what it will be. */
    private static void awaitQuiet(Path path) {
        long deadline = System.nanoTime() + LONGEST_WRITING.toNanos();
        Optional<FileTime> before = Optional.empty();
        Optional<FileTime> now = modified(path);
        while (now.isPresent() && !now.equals(before) && System.nanoTime() - deadline < 0) {
            before = now;
            LockSupport.parkNanos(QUIET.toNanos());
            now = modified(path);
        }
    }

    private static Optional<FileTime> modified(Path path) {
        try {
            return Optional.of(Files.getLastModifiedTime(path));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static boolean rename(List<Path> files, String suffix) {
        try {
            for (Path file : files) {
                if (Files.exists(file)) {
                    Files.move(file, file.resolveSibling(file.getFileName() + suffix));
                }
            }
            return true;
        } catch (IOException stays) {
            LOG.log(Level.DEBUG, "a damaged SQLite file could not be renamed", stays);
            return false;
        }
    }

    private static boolean isSound(Path path) {
        try (Connection connection = SqliteDriver.connect(path);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA quick_check(1)")) {
            return row.next() && row.getString(1).equals("ok");
        } catch (SQLException unreadable) {
            return SqliteConnections.isBusy(unreadable);
        }
    }
}
