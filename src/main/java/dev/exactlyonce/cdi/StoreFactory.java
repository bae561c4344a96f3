package dev.exactlyonce.cdi;

import dev.exactlyonce.common.MachineClocks;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.FallbackPlan;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.store.redis.RedisStore;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The configured store behind its guard. */
record StoreFactory(IdempotencyStore store, StoreGuard guard) implements AutoCloseable {
    /** @param clock the one of the facts, which setting the wall clock does not move */
    static StoreFactory of(Settings settings, DegradedFacts facts, InstantSource clock) {
        LostClaims losses = new LostClaims(facts, clock, settings.sources().longestLease());
        return switch (settings.store()) {
            case SQLITE -> alone(settings, sqlite(settings, losses), losses);
            case MEMORY -> alone(settings, memory(losses), losses);
            case REDIS -> redis(settings, losses);
        };
    }

    private static StoreFactory alone(Settings settings, IdempotencyStore store, LostClaims losses) {
        StoreGuard guard =
                new StoreGuard(store, StoreOutageTexts.of(settings.store()), losses.facts(), System::nanoTime);
        losses.restoredBy(guard::backfill);
        return new StoreFactory(store, guard);
    }

    private static IdempotencyStore sqlite(Settings settings, LostClaims losses) {
        if (SqliteSettings.isDriverThere()) {
            return sqlite(settings.sqlite().orElseThrow(), losses);
        }
        losses.facts()
                .raise(
                        DegradedFacts.FactKind.NO_DURABLE_STORE,
                        StoreOutageTexts.NO_DRIVER.reason(),
                        StoreOutageTexts.NO_DRIVER.hint());
        return memory(losses);
    }

    private static SqliteStore sqlite(SqliteSettings file, LostClaims losses) {
        return new SqliteStore(file, MachineClocks.system(), losses::ofFile);
    }

    private static FallbackStore memory(LostClaims losses) {
        DegradedFacts facts = losses.facts();
        return new MemoryStore(
                MemoryStore.DEFAULT_CAPACITY,
                losses.clock(),
                until -> facts.raiseUntil(
                        DegradedFacts.FactKind.FORGOTTEN,
                        "memory idempotency store is full (oldest records forgotten)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.ttl",
                        until));
    }

    private static StoreFactory redis(Settings settings, LostClaims losses) {
        RedisFacts watcher = new RedisFacts(losses);
        RedisStore store = new RedisStore(
                settings.redis().orElseThrow(),
                watcher,
                new RedisStore.Application(settings.application(), rowsLast(settings)));
        StoreGuard guard = new StoreGuard(
                store,
                StoreOutageTexts.of(Settings.Store.REDIS),
                Optional.of(fallback(settings, losses)),
                losses.facts(),
                System::nanoTime);
        losses.restoredBy(guard::backfill);
        return new StoreFactory(store, guard);
    }

    private static FallbackPlan fallback(Settings settings, LostClaims losses) {
        Optional<SqliteSettings> file = settings.sqlite().filter(it -> SqliteSettings.isDriverThere());
        return file.map(it -> new FallbackPlan(
                        () -> sqlite(it, losses),
                        Files.exists(it.path()),
                        rowsLast(settings),
                        StoreOutageTexts.REDIS_NOT_AVAILABLE,
                        StoreOutageTexts.of(Settings.Store.SQLITE)))
                .orElseGet(() -> new FallbackPlan(
                        () -> memory(losses),
                        false,
                        rowsLast(settings),
                        StoreOutageTexts.NO_FALLBACK_FILE,
                        StoreOutageTexts.of(Settings.Store.MEMORY)));
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
