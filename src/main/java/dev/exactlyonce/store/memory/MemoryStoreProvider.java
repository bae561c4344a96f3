package dev.exactlyonce.store.memory;

import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.OutageDescription;
import dev.exactlyonce.spi.SettingValues;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreProvider;
import dev.exactlyonce.spi.StoreRisk;

/** The store {@code memory}: this process alone. */
public final class MemoryStoreProvider implements StoreProvider {
    @Override
    public String name() {
        return "memory";
    }

    @Override
    public OutageDescription outage() {
        return new OutageDescription(
                "memory idempotency store is full of claims (dedup best-effort until it recovers)",
                "use exactlyonce.store=sqlite, or a shorter exactlyonce.lease");
    }

    @Override
    public IdempotencyStore open(SettingValues values, StoreContext context) {
        return open(context);
    }

    /** A store of this process that stands in for another one. */
    public static FallbackStore open(StoreContext context) {
        return new MemoryStore(
                MemoryStore.DEFAULT_CAPACITY,
                context.clock(),
                until -> context.raiseUntil(
                        StoreRisk.RECORD_REMOVED,
                        "memory idempotency store is full (oldest records forgotten)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.ttl",
                        until));
    }
}
