package dev.exactlyonce.cdi;

import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.StoreGuard.OutageWords;

/** How each store's outage is told. */
final class Outages {
    private Outages() {}

    static OutageWords of(Settings.Store store) {
        return switch (store) {
            case SQLITE ->
                new OutageWords(
                        "durable idempotency store unavailable (running in-memory)",
                        "check the disk, the file of exactlyonce.sqlite.path, and that the application has sqlite-jdbc",
                        Settings.Store.MEMORY.word());
            case MEMORY ->
                new OutageWords(
                        "memory idempotency store is full of claims (dedup best-effort until it recovers)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.lease",
                        Settings.Store.MEMORY.word());
        };
    }
}
