package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.OutageDescription;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.spi.StoreValidation;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.sqlite.SqliteSettings.FileSystem;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The store {@code sqlite}: a file of this replica. It also stands in for a shared store that is unavailable at startup. */
public final class SqliteStoreProvider implements StoreProvider {
    /** Whether the file system must be known to be local; also for the sender's file. */
    public static final SettingDefinition<FileSystem> FILE_SYSTEM = SettingDefinition.of(
            "exactlyonce.sqlite.file-system",
            SettingType.choice(FileSystem.class),
            FileSystem.LOCAL,
            "The file systems that may hold the database files, including the sender's: only those that are known to be local,"
                    + " or any. SQLite loses keys on a file system that several machines share.");

    private static final String FILE_PREFIX = "exactly-once-";

    private static final SettingDefinition<String> PATH = SettingDefinition.optional(
                    "exactlyonce.sqlite.path",
                    SettingType.text("a file in a folder that exists, on a local file system"),
                    "The database file, relative to the server's working directory. With `redis`, the file of its fallback.")
            .withDocumentedDefault("`" + FILE_PREFIX + "<application name>.db`");

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public List<SettingDefinition<?>> settings() {
        return List.of(PATH, FILE_SYSTEM);
    }

    @Override
    public OutageDescription outage() {
        return new OutageDescription(
                "durable idempotency store unavailable (running in-memory)",
                "check the disk and the file of " + PATH.name() + "; the log names the cause");
    }

    @Override
    public void validate(StoreValidation validation) {
        if (validation.isChosen()) {
            file(validation, true, DEFAULT_TIMEOUT);
        }
    }

    /**
     * The file of a fallback.
     *
     * @param timeout of the store that it stands in for
     * @return empty where this server cannot keep the default file; a file that was chosen and cannot be kept is a fault
     */
    public static Optional<SqliteSettings> fallbackFile(StoreValidation validation, Duration timeout) {
        return file(validation, validation.find(PATH).isPresent(), timeout);
    }

    /** The file of the store. */
    public static SqliteSettings file(SettingValues values, String application) {
        return file(values, application, DEFAULT_TIMEOUT);
    }

    private static Optional<SqliteSettings> file(StoreValidation validation, boolean needed, Duration timeout) {
        try {
            return Optional.of(file(validation, validation.applicationName(), timeout));
        } catch (InvalidPathException e) {
            validation.fault(PATH, "is not a valid path on this system");
        } catch (IllegalArgumentException e) {
            if (needed) {
                validation.fault(
                        PATH, e.getMessage() + "; allowed: " + PATH.type().allowedValues());
            }
        }
        return Optional.empty();
    }

    private static SqliteSettings file(SettingValues values, String application, Duration timeout) {
        return SqliteSettings.of(
                values.find(PATH).orElseGet(() -> SqliteSettings.fileName(FILE_PREFIX, application)),
                timeout,
                values.get(FILE_SYSTEM));
    }

    @Override
    public IdempotencyStore open(SettingValues values, StoreContext context) {
        if (!SqliteSettings.isDriverThere()) {
            return context.inMemoryInstead(
                    "durable idempotency store unavailable (running in-memory)",
                    "the application does not contain org.xerial:sqlite-jdbc; add it, or set exactlyonce.store=memory");
        }
        return open(file(values, context.applicationName()), context);
    }

    /** A store in this file. */
    public static FallbackStore open(SqliteSettings file, StoreContext context) {
        return new SqliteStore(
                file,
                MachineClocks.system(),
                loss -> context.claimsMayBeLost(
                        "sqlite file was " + loss.word() + " (recent claims may be lost)",
                        "stop the application before the file of " + PATH.name() + " is changed"));
    }
}
