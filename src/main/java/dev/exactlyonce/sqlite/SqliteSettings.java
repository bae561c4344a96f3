package dev.exactlyonce.sqlite;

import dev.exactlyonce.common.OptionalClasses;
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
 * @param fileSystem where the file may be
 */
public record SqliteSettings(Path path, Duration timeout, FileSystem fileSystem) {
    /** Long enough for a checkpoint on a slow disk, short enough for a sender that waits. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** Where a file may be. */
    public enum FileSystem {
        /** On a file system that is known to be local to one machine. */
        LOCAL,
        /** On any: the administrator knows that no other machine uses it, or that its locks and shared memory work. */
        ANY
    }

    /**
     * File systems on a disk, or in the memory, of one machine: by the names of Linux (filesystems(5), and {@code fuseblk},
     * which is a disk behind FUSE), macOS, Windows and the BSDs. SQLite's log needs memory that all processes with the file
     * share, which no network provides: https://www.sqlite.org/wal.html, section 1. A type that is not listed may be one of
     * many that look local and are not: virtiofs, ceph, glusterfs, vboxsf, lustre, gpfs, fuse.s3fs.
     */
    private static final Set<String> LOCAL_TYPES = Set.of(
            "ext2",
            "ext3",
            "ext4",
            "xfs",
            "btrfs",
            "zfs",
            "f2fs",
            "jfs",
            "jfs2",
            "reiserfs",
            "bcachefs",
            "tmpfs",
            "ramfs",
            "overlay",
            "overlayfs",
            "aufs",
            "fuseblk",
            "ntfs",
            "ntfs3",
            "refs",
            "vfat",
            "msdos",
            "fat",
            "fat32",
            "exfat",
            "apfs",
            "hfs",
            "ufs",
            "ffs",
            "hammer",
            "hammer2",
            "nilfs2",
            "erofs");

    public SqliteSettings(Path path, Duration timeout) {
        this(path, timeout, FileSystem.LOCAL);
    }

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
        String type = fileSystem == FileSystem.ANY ? "" : typeOf(folder);
        if (fileSystem == FileSystem.LOCAL && !isLocal(type)) {
            throw new IllegalArgumentException("is on a file system that is not known to be local (" + type
                    + "); SQLite loses keys on one that machines share: choose another folder, or set"
                    + " exactlyonce.sqlite.file-system=any if no other machine has this one");
        }
    }

    /** A file by its path, as it is configured; relative to the server's working directory. */
    public static SqliteSettings of(String path, Duration timeout, FileSystem fileSystem) {
        return new SqliteSettings(Path.of(path), timeout, fileSystem);
    }

    /** The default name of an application's file. */
    public static String fileName(String prefix, String application) {
        return prefix + application.replaceAll("[^A-Za-z0-9._-]", "_") + ".db";
    }

    /** Whether sqlite-jdbc is there: an application may leave it out. */
    public static boolean isDriverThere() {
        return OptionalClasses.isPresent("org.sqlite.SQLiteConfig");
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

    /** Whether such a file system is known to be local to one machine. */
    static boolean isLocal(String fileSystemType) {
        return LOCAL_TYPES.contains(fileSystemType.toLowerCase(Locale.ROOT));
    }

    private static String typeOf(Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
