package dev.exactlyonce.config;

import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.sqlite.SqliteSettings.FileSystem;
import java.nio.file.InvalidPathException;
import java.util.Optional;

/** Reads where the sender's database file is. */
final class SqliteReader {
    private static final String FILE_PREFIX = "exactly-once-sender-";

    private final ConfigReader values;
    private final String application;
    private final FileSystem fileSystem;

    SqliteReader(ConfigReader values, String application, FileSystem fileSystem) {
        this.values = values;
        this.application = application;
        this.fileSystem = fileSystem;
    }

    Optional<SqliteSettings> read() {
        try {
            return Optional.of(SqliteSettings.of(
                    values.text(SendingSettings.SQLITE_PATH)
                            .orElseGet(() -> SqliteSettings.fileName(FILE_PREFIX, application)),
                    SqliteSettings.DEFAULT_TIMEOUT,
                    fileSystem));
        } catch (InvalidPathException e) {
            values.problem(SendingSettings.SQLITE_PATH, "is not a valid path on this system");
        } catch (IllegalArgumentException e) {
            values.problem(
                    SendingSettings.SQLITE_PATH,
                    e.getMessage() + "; allowed: "
                            + SendingSettings.SQLITE_PATH.type().allowedValues());
        }
        return Optional.empty();
    }
}
