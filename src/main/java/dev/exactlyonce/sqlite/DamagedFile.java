package dev.exactlyonce.sqlite;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What is left under a file's name after another program has changed it. Nothing is ever deleted. */
final class DamagedFile {
    private static final System.Logger LOG = System.getLogger(DamagedFile.class.getName());

    private DamagedFile() {}

    /** Renames it, with its log, when it is there and is no sound database. */
    static void setAside(Path path) {
        if (!Files.exists(path) || isSound(path)) {
            return;
        }
        String suffix = ".damaged-" + System.currentTimeMillis();
        for (String part : new String[] {"", "-wal", "-shm"}) {
            Path from = path.resolveSibling(path.getFileName() + part);
            try {
                if (Files.exists(from)) {
                    Files.move(from, path.resolveSibling(path.getFileName() + suffix + part));
                }
            } catch (IOException stays) {
                LOG.log(Level.DEBUG, "a damaged SQLite file could not be renamed", stays);
                return; // it stays unavailable, and says why
            }
        }
        LOG.log(
                Level.WARNING,
                "EXON0203 the damaged SQLite file was renamed to its name and {0}; a new file is made",
                suffix);
    }

    private static boolean isSound(Path path) {
        try (Connection connection = SqliteDriver.connect(path);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA quick_check(1)")) {
            return row.next() && row.getString(1).equals("ok");
        } catch (SQLException unreadable) {
            return Opening.isBusy(unreadable);
        }
    }
}
