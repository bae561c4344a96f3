package dev.exactlyonce.config;

import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.sqlite.SqliteSettings.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Reads where a database file is. */
final class SqliteReader {
    private final ConfigReader values;
    private final String application;
    private final FileSystem fileSystem;

    SqliteReader(ConfigReader values, String application) {
        this.values = values;
        this.application = application;
        this.fileSystem = values.choice(Setting.SQLITE_FILE_SYSTEM, FileSystem.LOCAL);
    }

    /**
     * @param prefix of the file's name where none is chosen; the application's name follows
     * @param needed whether a fault of the path that nobody chose is one: a container may have nowhere to write
     */
    Optional<SqliteSettings> read(Property setting, String prefix, boolean needed, Duration timeout) {
        Optional<String> chosen = values.text(setting);
        try {
            return Optional.of(new SqliteSettings(
                    Path.of(chosen.orElse(prefix + application.replaceAll("[^A-Za-z0-9._-]", "_") + ".db")),
                    timeout,
                    fileSystem));
        } catch (InvalidPathException e) {
            values.problem(setting, "is no path of this system");
        } catch (IllegalArgumentException e) {
            if (needed || chosen.isPresent()) {
                values.problem(setting, e.getMessage() + "; allowed: " + setting.allowed());
            }
        }
        return Optional.empty();
    }
}
