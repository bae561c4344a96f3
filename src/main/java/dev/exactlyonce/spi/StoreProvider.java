package dev.exactlyonce.spi;

import java.time.Duration;
import java.util.List;

/**
 * Makes a store available under a name: {@code exactlyonce.store=<name>} chooses it. Providers are services: a file
 * {@code META-INF/services/dev.exactlyonce.spi.StoreProvider} in the application or in one of its libraries names the class.
 *
 * <pre>{@code
 * public final class ExampleStoreProvider implements StoreProvider {
 *     static final SettingDefinition<String> URL = SettingDefinition.of(
 *             "exactlyonce.example.url", SettingType.text("a JDBC URL").hidden(), "jdbc:example:mem", "The database.");
 *
 *     public String name() {
 *         return "example";
 *     }
 *
 *     public List<SettingDefinition<?>> settings() {
 *         return List.of(URL);
 *     }
 *
 *     public OutageDescription outage() {
 *         return new OutageDescription("example store unavailable (running in-memory)", "check the database");
 *     }
 *
 *     public IdempotencyStore open(SettingValues values, StoreContext context) {
 *         return new ExampleStore(values.get(URL));
 *     }
 * }
 * }</pre>
 *
 * <p>The class is public with a public constructor without parameters. It is loaded in every application that contains it:
 * loading it must not need the store's libraries.
 *
 * @since 0.1.0
 */
public interface StoreProvider {
    /** The longest time that the built-in stores take for an operation by default. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** The value of {@code exactlyonce.store} that chooses this store: {@code [a-z][a-z0-9-]{0,62}}. */
    String name();

    /** What readiness shows while the store is unavailable. */
    OutageDescription outage();

    /**
     * Opens the store. Called once, for the chosen store, after its settings have been validated. Must not block: a store
     * that cannot be reached is an outage, not a fault of the deployment.
     */
    IdempotencyStore open(SettingValues values, StoreContext context);

    /** The store's settings. Their names begin with {@code exactlyonce.<name>.}; their values are checked for every store. */
    default List<SettingDefinition<?>> settings() {
        return List.of();
    }

    /** The libraries without which the store cannot be opened. */
    default List<RequiredLibrary> libraries() {
        return List.of();
    }

    /**
     * Checks what the types of the settings cannot. Called for every store, chosen or not, and without the store's libraries:
     * what depends on this machine is a fault only if {@link StoreValidation#isChosen}.
     */
    default void validate(StoreValidation validation) {}

    /** Checks what needs the store's libraries. Called for the chosen store, when they are in the application. */
    default void validateWithLibraries(StoreValidation validation) {}

    /**
     * Whether the replicas of an application share this store. When a shared store is unavailable at startup, each replica uses
     * its own SQLite file until the store is back.
     */
    default boolean isShared() {
        return false;
    }

    /** For a shared store: what readiness shows when the store was unavailable at startup. */
    default OutageDescription absenceAtStartup() {
        return outage();
    }

    /** The longest time that an operation of the store takes, 10 ms to 60 s; for a shared store, also of its fallback. */
    default Duration timeout(SettingValues values) {
        return DEFAULT_TIMEOUT;
    }
}
