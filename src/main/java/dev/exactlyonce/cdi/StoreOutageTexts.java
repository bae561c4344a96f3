package dev.exactlyonce.cdi;

import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.OutageTexts;

/** How each store's absence is told. */
final class StoreOutageTexts {
    private static final String IN_MEMORY = "durable idempotency store unavailable (running in-memory)";

    /** The embedded store, of an application that left its driver out. */
    static final OutageTexts NO_DRIVER = new OutageTexts(
            IN_MEMORY,
            "the application has no org.xerial:sqlite-jdbc; add it, or choose exactlyonce.store=memory",
            Settings.Store.MEMORY.word());

    /** Redis was not there at the start; SQLite stands in. */
    static final OutageTexts REDIS_NOT_AVAILABLE = new OutageTexts(
            "redis idempotency backend not available (running per-replica)",
            "check Redis and the exactlyonce.redis settings; it is tried again every 5 s",
            Settings.Store.SQLITE.word());

    /** The same, and SQLite cannot stand in. */
    static final OutageTexts NO_FALLBACK_FILE = new OutageTexts(
            IN_MEMORY,
            "Redis is not there, and no SQLite file can stand in: check the exactlyonce.redis settings,"
                    + " exactlyonce.sqlite.path, and that the application has org.xerial:sqlite-jdbc",
            Settings.Store.MEMORY.word());

    private StoreOutageTexts() {}

    static OutageTexts of(Settings.Store store) {
        return switch (store) {
            case SQLITE ->
                new OutageTexts(
                        IN_MEMORY,
                        "check the disk and the file of exactlyonce.sqlite.path; the log names the cause",
                        Settings.Store.MEMORY.word());
            case REDIS ->
                new OutageTexts(
                        "redis idempotency backend unreachable at runtime (dedup best-effort until it recovers)",
                        "check Redis, its memory and that it is the master; the log names the cause",
                        Settings.Store.MEMORY.word());
            case MEMORY ->
                new OutageTexts(
                        "memory idempotency store is full of claims (dedup best-effort until it recovers)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.lease",
                        Settings.Store.MEMORY.word());
        };
    }
}
