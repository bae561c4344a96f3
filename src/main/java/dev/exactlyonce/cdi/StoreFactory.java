package dev.exactlyonce.cdi;

import dev.exactlyonce.config.ChosenStore;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.FallbackPlan;
import dev.exactlyonce.guard.OutageTexts;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.OutageDescription;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.memory.MemoryStoreProvider;
import dev.exactlyonce.store.redis.RedisStoreProvider;
import dev.exactlyonce.store.redis.RedisStoreSettings;
import dev.exactlyonce.store.sqlite.SqliteStoreProvider;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Optional;

/** The configured store behind its guard. */
record StoreFactory(IdempotencyStore store, StoreGuard guard) implements AutoCloseable {
    private static final StoreProvider SQLITE = new SqliteStoreProvider();
    private static final StoreProvider MEMORY = new MemoryStoreProvider();

    /** @param clock the one of the facts, which setting the wall clock does not move */
    static StoreFactory of(Settings settings, DegradedFacts facts, InstantSource clock) {
        ChosenStore chosen = settings.store();
        DegradedStoreContext context = new DegradedStoreContext(settings, facts, clock);
        IdempotencyStore store = chosen.provider().open(chosen.values(), context);
        StoreGuard guard = new StoreGuard(
                store,
                texts(chosen.provider().outage(), MEMORY),
                Optional.of(chosen).filter(it -> it.provider().isShared()).map(it -> fallback(it, context)),
                facts,
                System::nanoTime);
        context.restoredBy(guard::backfill);
        return new StoreFactory(store, guard);
    }

    /** Where Redis is, when the application shares its keys through it. */
    static Optional<RedisSettings> redis(Settings settings) {
        ChosenStore chosen = settings.store();
        return Optional.of(chosen)
                .filter(it -> it.provider() instanceof RedisStoreProvider)
                .map(it -> RedisStoreSettings.of(it.values()));
    }

    private static FallbackPlan fallback(ChosenStore shared, StoreContext context) {
        OutageDescription absence = shared.provider().absenceAtStartup();
        Optional<SqliteSettings> file = shared.sqliteFile().filter(it -> SqliteSettings.isDriverThere());
        return file.map(it -> new FallbackPlan(
                        () -> SqliteStoreProvider.open(it, context),
                        Files.exists(it.path()),
                        context.longestRetention(),
                        texts(absence, SQLITE),
                        texts(SQLITE.outage(), MEMORY)))
                .orElseGet(() -> new FallbackPlan(
                        () -> MemoryStoreProvider.open(context),
                        false,
                        context.longestRetention(),
                        new OutageTexts(
                                SQLITE.outage().reason(),
                                absence.hint()
                                        + "; no SQLite file can stand in: check exactlyonce.sqlite.path, and that the"
                                        + " application contains org.xerial:sqlite-jdbc",
                                MEMORY.name()),
                        texts(MEMORY.outage(), MEMORY)));
    }

    private static OutageTexts texts(OutageDescription outage, StoreProvider standIn) {
        return new OutageTexts(outage.reason(), outage.hint(), standIn.name());
    }

    @Override
    public void close() {
        try (store) {
            guard.close();
        }
    }
}
