package dev.exactlyonce.cdi;

import dev.exactlyonce.admission.FallbackStore;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.FallbackPlan;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.store.redis.RedisStore;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The configured store behind its guard. */
record OpenStores(IdempotencyStore store, StoreGuard guard) implements AutoCloseable {
    static OpenStores of(Settings settings, DegradedFacts facts) {
        return switch (settings.store()) {
            case SQLITE -> alone(settings, sqlite(settings, facts), facts);
            case MEMORY -> alone(settings, memory(facts), facts);
            case REDIS -> redis(settings, facts);
        };
    }

    private static OpenStores alone(Settings settings, IdempotencyStore store, DegradedFacts facts) {
        return new OpenStores(store, new StoreGuard(store, Outages.of(settings.store()), facts, System::nanoTime));
    }

    private static IdempotencyStore sqlite(Settings settings, DegradedFacts facts) {
        if (SqliteSettings.isDriverThere()) {
            return new SqliteStore(settings.sqlite().orElseThrow(), InstantSource.system());
        }
        facts.raise(DegradedFacts.Kind.NO_DURABLE_STORE, Outages.NO_DRIVER.reason(), Outages.NO_DRIVER.hint());
        return memory(facts);
    }

    private static FallbackStore memory(DegradedFacts facts) {
        return new MemoryStore(
                MemoryStore.DEFAULT_CAPACITY,
                InstantSource.system(),
                until -> facts.raiseUntil(
                        DegradedFacts.Kind.FORGOTTEN,
                        "memory idempotency store is full (oldest records forgotten)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.ttl",
                        until));
    }

    private static OpenStores redis(Settings settings, DegradedFacts facts) {
        RedisFacts watcher = new RedisFacts(facts, settings.sources().longestLease());
        RedisStore store = new RedisStore(
                settings.redis().orElseThrow(),
                watcher,
                new RedisStore.Application(settings.application(), rowsLast(settings)));
        StoreGuard guard = new StoreGuard(
                store,
                Outages.of(Settings.Store.REDIS),
                Optional.of(fallback(settings, facts)),
                facts,
                System::nanoTime);
        watcher.onRestart(guard::retell);
        return new OpenStores(store, guard);
    }

    private static FallbackPlan fallback(Settings settings, DegradedFacts facts) {
        Optional<SqliteSettings> file = settings.sqlite().filter(it -> SqliteSettings.isDriverThere());
        return file.map(it -> new FallbackPlan(
                        () -> new SqliteStore(it, InstantSource.system()),
                        Files.exists(it.path()),
                        rowsLast(settings),
                        Outages.REDIS_NOT_AVAILABLE,
                        Outages.of(Settings.Store.SQLITE)))
                .orElseGet(() -> new FallbackPlan(
                        () -> memory(facts),
                        false,
                        rowsLast(settings),
                        Outages.NO_FALLBACK_FILE,
                        Outages.of(Settings.Store.MEMORY)));
    }

    private static Duration rowsLast(Settings settings) {
        return settings.sources().longestTtl().plus(settings.sources().longestLease());
    }

    @Override
    public void close() {
        try (store) {
            guard.close();
        }
    }
}
