package dev.exactlyonce.sqlite;

import java.io.IOException;
import java.lang.System.Logger.Level;
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
    private static final System.Logger LOG = System.getLogger(FileWatch.class.getName());

    /** Another process's checkpoint writes to the file before it says so; none takes as many looks. */
    private static final int UNEXPLAINED_LOOKS = 10;

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
    private final FileLog content;
    private Stat file;
    private Stat logFile;
    private @Nullable Object indexKey;
    private long version;
    private FileLog.LogState logState;
    private int unexplained;

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
        this.content = new FileLog(log, connection);
        this.logState = content.read().orElse(new FileLog.LogState(-1, 0, 0));
    }

    /** Changes when another connection has committed: https://www.sqlite.org/pragma.html#pragma_data_version. */
    private long dataVersion() throws SQLException {
        try (ResultSet row = dataVersion.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /**
     * The file itself is written by checkpoints alone, and they leave their mark in the log. A change without one was made
     * past SQLite.
     */
    Optional<FileLoss> look() throws SQLException {
        Stat now = Stat.of(path);
        Stat logNow = Stat.of(log);
        Object indexNow = Stat.of(index).key();
        if (!Objects.equals(now.key(), file.key())
                || isGone(logFile.key(), logNow.key())
                || isGone(indexKey, indexNow)) {
            return Optional.of(FileLoss.REMOVED);
        }
        Optional<FileLog.LogState> stateNow = content.read();
        if (stateNow.isEmpty()) {
            return Optional.of(FileLoss.TRUNCATED);
        }
        boolean isChanged = now.size() != file.size() || !Objects.equals(now.modified(), file.modified());
        if ((isChanged && !isStillItself()) || isUnexplained(isChanged, stateNow.get())) {
            return Optional.of(now.size() < file.size() ? FileLoss.TRUNCATED : FileLoss.OVERWRITTEN);
        }
        file = now;
        logFile = logNow;
        indexKey = indexNow;
        logState = stateNow.get();
        return Optional.empty();
    }

    /** Whether a change has stood for long without a checkpoint that can have made it: an older copy has the same identity. */
    private boolean isUnexplained(boolean isChanged, FileLog.LogState stateNow) throws SQLException {
        long versionNow = dataVersion();
        boolean isExplained = stateNow.isMovedSince(logState) || versionNow != version;
        version = versionNow;
        if (isExplained || (unexplained == 0 && !isChanged)) {
            unexplained = 0;
            return false;
        }
        unexplained++;
        return unexplained >= UNEXPLAINED_LOOKS;
    }

    /**
     * Before the file is closed after a loss: closing writes the log into the file, and another program has put something
     * else there. Where the file itself has gone, or another one has the log's name, there is nothing to be done.
     *
     * @return a copy of the log
     */
    Optional<Path> keepLogOut() {
        boolean isOurs = Objects.equals(Stat.of(path).key(), file.key())
                && logFile.key() != null
                && Objects.equals(Stat.of(log).key(), logFile.key());
        if (!isOurs) {
            return Optional.empty();
        }
        Path copy = log.resolveSibling(log.getFileName() + ".damaged-" + System.currentTimeMillis());
        try {
            content.empty(copy);
            return Optional.of(copy);
        } catch (IOException stays) {
            LOG.log(Level.DEBUG, "the log of a damaged SQLite file could not be kept out of it", stays);
            return Optional.empty();
        }
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
            return SqliteConnections.isBusy(unreadable);
        }
    }
}
