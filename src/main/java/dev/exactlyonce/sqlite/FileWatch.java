package dev.exactlyonce.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices what other programs do to an open file. SQLite itself does not: it goes on with a file that has no name any more,
 * and answers from its cache and its log what the file no longer holds. The file is never opened here by other means than
 * SQLite's own, since closing a second descriptor would end the locks of the first (https://www.sqlite.org/howtocorrupt.html,
 * section 2.2). Not thread-safe: the writer thread's own.
 */
final class FileWatch {
    /** @param key the file itself, whatever its name; nothing where there is no file */
    private record Stat(
            @Nullable Object key, long size, @Nullable FileTime modified) {
        static Stat of(Path path) {
            try {
                BasicFileAttributes it = Files.readAttributes(path, BasicFileAttributes.class);
                return new Stat(it.fileKey(), it.size(), it.lastModifiedTime());
            } catch (IOException gone) {
                return new Stat(null, 0, null);
            }
        }
    }

    private final Path path;
    private final Path log;
    private final Path index;
    private final String identity;
    private final PreparedStatement dataVersion;
    private Stat file;
    private Stat logFile;
    private @Nullable Object indexKey;
    private long version;

    FileWatch(Path path, Connection connection, String identity) throws SQLException {
        this.path = path;
        this.log = path.resolveSibling(path.getFileName() + "-wal");
        this.index = path.resolveSibling(path.getFileName() + "-shm");
        this.identity = identity;
        this.dataVersion = connection.prepareStatement("PRAGMA data_version");
        this.file = Stat.of(path);
        this.logFile = Stat.of(log);
        this.indexKey = Stat.of(index).key();
        this.version = dataVersion();
    }

    /** Changes when another connection has committed: https://www.sqlite.org/pragma.html#pragma_data_version. */
    private long dataVersion() throws SQLException {
        try (ResultSet row = dataVersion.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /** @param hasCommitted whether this connection has committed since the last look, and may have moved its log */
    Optional<FileLoss> look(boolean hasCommitted) throws SQLException {
        Stat now = Stat.of(path);
        Stat logNow = Stat.of(log);
        Object indexNow = Stat.of(index).key();
        if (!Objects.equals(now.key(), file.key())
                || isGone(logFile.key(), logNow.key())
                || isGone(indexKey, indexNow)) {
            return Optional.of(FileLoss.REMOVED);
        }
        if (now.size() < file.size() || logNow.size() < logFile.size()) {
            return Optional.of(FileLoss.TRUNCATED);
        }
        long versionNow = dataVersion();
        boolean mayBeOurs = hasCommitted || versionNow != version;
        if (!Objects.equals(now.modified(), file.modified()) && (!mayBeOurs || !isStillItself())) {
            return Optional.of(FileLoss.OVERWRITTEN);
        }
        file = now;
        logFile = logNow;
        indexKey = indexNow;
        version = versionNow;
        return Optional.empty();
    }

    /** The log, and its index, of a file that has another one in its place: they would be taken for that one's. */
    List<Path> orphans() {
        if (Objects.equals(Stat.of(path).key(), file.key())) {
            return List.of();
        }
        List<Path> orphans = new ArrayList<>();
        if (Objects.equals(Stat.of(log).key(), logFile.key())) {
            orphans.add(log);
        }
        if (Objects.equals(Stat.of(index).key(), indexKey)) {
            orphans.add(index);
        }
        return orphans;
    }

    private static boolean isGone(@Nullable Object before, @Nullable Object now) {
        return before != null && !before.equals(now);
    }

    /** By a connection of its own, which has nothing in its cache; the identity's page is written once, and not in the log. */
    private boolean isStillItself() {
        try (Connection fresh = SqliteDriver.connect(path)) {
            return FileState.identity(fresh).equals(Optional.of(identity));
        } catch (SQLException unreadable) {
            return Opening.isBusy(unreadable);
        }
    }
}
