package dev.exactlyonce.cdi;

import dev.exactlyonce.admission.FallbackStore;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.time.InstantSource;

/** The configured store behind its guard. */
record OpenStores(IdempotencyStore store, StoreGuard guard) implements AutoCloseable {
    static OpenStores of(Settings settings, DegradedFacts facts) {
        IdempotencyStore store = switch (settings.store()) {
            case SQLITE -> {
                if (SqliteStore.isDriverThere()) {
                    yield new SqliteStore(settings.sqlite().orElseThrow(), InstantSource.system());
                }
                facts.raise(DegradedFacts.Kind.NO_DURABLE_STORE, Outages.NO_DRIVER.reason(), Outages.NO_DRIVER.hint());
                yield memory(facts);
            }
            case MEMORY -> memory(facts);
            case REDIS -> throw new IllegalStateException("the store redis is not built yet");
        };
        return new OpenStores(store, new StoreGuard(store, Outages.of(settings.store()), facts, System::nanoTime));
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

    @Override
    public void close() {
        guard.close();
        store.close();
    }
}
