package dev.exactlyonce.store.redis;

import static dev.exactlyonce.store.redis.RedisStoreSettings.CONFIG_FILE;
import static dev.exactlyonce.store.redis.RedisStoreSettings.DATABASE;
import static dev.exactlyonce.store.redis.RedisStoreSettings.HOST;
import static dev.exactlyonce.store.redis.RedisStoreSettings.PASSWORD;
import static dev.exactlyonce.store.redis.RedisStoreSettings.PORT;
import static dev.exactlyonce.store.redis.RedisStoreSettings.TIMEOUT;
import static dev.exactlyonce.store.redis.RedisStoreSettings.URL;
import static dev.exactlyonce.store.redis.RedisStoreSettings.USERNAME;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.OutageDescription;
import dev.exactlyonce.spi.RequiredLibrary;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.spi.StoreValidation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The store {@code redis}: one Redis for all replicas. */
public final class RedisStoreProvider implements StoreProvider {
    /** The client in this package depends on Redisson's internals, which change between its versions. */
    private static final RequiredLibrary REDISSON =
            new RequiredLibrary("Redisson", "org.redisson.Redisson", "org.redisson:redisson", List.of("4.7.0"));

    private static final List<SettingDefinition<?>> OF_THE_SERVER =
            List.of(URL, HOST, PORT, DATABASE, USERNAME, PASSWORD);

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public List<SettingDefinition<?>> settings() {
        return RedisStoreSettings.ALL;
    }

    @Override
    public List<RequiredLibrary> libraries() {
        return List.of(REDISSON);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Duration timeout(SettingValues values) {
        return values.get(TIMEOUT);
    }

    @Override
    public OutageDescription outage() {
        return new OutageDescription(
                "redis idempotency backend unreachable at runtime (dedup best-effort until it recovers)",
                "check Redis, its memory and that it is the master; the log names the cause");
    }

    @Override
    public OutageDescription absenceAtStartup() {
        return new OutageDescription(
                "redis idempotency backend not available (running per-replica)",
                "check Redis and the exactlyonce.redis settings; the connection is retried every 5 s");
    }

    @Override
    public void validate(StoreValidation validation) {
        validation
                .find(CONFIG_FILE)
                .filter(it -> validation.isChosen())
                .ifPresent(it -> requireReadable(it, validation));
        if (validation.find(CONFIG_FILE).isEmpty() || validation.hasFault(CONFIG_FILE)) {
            validateServer(validation);
        }
    }

    private static void requireReadable(Path file, StoreValidation validation) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            String fault = Files.isDirectory(file)
                    ? "names a folder, a file is needed"
                    : Files.exists(file) ? "cannot be read by this server" : "does not exist";
            validation.fault(
                    CONFIG_FILE, fault + "; allowed: " + CONFIG_FILE.type().allowedValues());
        }
    }

    private static void validateServer(StoreValidation validation) {
        Optional<RedisUrl> url = validation.find(URL);
        refuseTwice(HOST, url, validation);
        refuseTwice(PORT, url, validation);
        refuseTwice(DATABASE, url.flatMap(RedisUrl::database), validation);
        refuseTwice(USERNAME, url.flatMap(RedisUrl::username), validation);
        refuseTwice(PASSWORD, url.flatMap(RedisUrl::password), validation);
        RedisSettings.Server server = RedisStoreSettings.server(validation);
        if (OF_THE_SERVER.stream().noneMatch(validation::hasFault)
                && server.username().isPresent()
                && server.password().isEmpty()) {
            // Redisson would ignore the user and log in as the default user
            validation.fault(
                    validation.find(USERNAME).isPresent() ? USERNAME : URL,
                    "a user needs a password; a password alone is redis://:password@host");
        }
    }

    private static void refuseTwice(SettingDefinition<?> setting, Optional<?> ofTheUrl, StoreValidation validation) {
        if (validation.find(setting).isPresent() && ofTheUrl.isPresent()) {
            validation.fault(setting, "is part of " + URL.name() + ", which is also set; remove one of the two");
        }
    }

    @Override
    public void validateWithLibraries(StoreValidation validation) {
        if (!validation.hasFault(CONFIG_FILE)) {
            RedisStore.faultOf(RedisStoreSettings.of(validation)).ifPresent(it -> validation.fault(CONFIG_FILE, it));
        }
    }

    @Override
    public IdempotencyStore open(SettingValues values, StoreContext context) {
        return new RedisStore(
                RedisStoreSettings.of(values),
                new RedisRisks(context),
                new RedisStore.Application(context.applicationName(), context.longestRetention()));
    }
}
