package dev.exactlyonce.cdi;

import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.OutageWords;

/** How each store's outage is told. */
final class Outages {
    /** The embedded store, of an application that left its driver out. */
    static final OutageWords NO_DRIVER = new OutageWords(
            "durable idempotency store unavailable (running in-memory)",
            "the application has no org.xerial:sqlite-jdbc; add it, or choose exactlyonce.store=memory",
            Settings.Store.MEMORY.word());

    private Outages() {}

    static OutageWords of(Settings.Store store) {
        return switch (store) {
            case SQLITE ->
                new OutageWords(
                        "durable idempotency store unavailable (running in-memory)",
                        "check the disk and the file of exactlyonce.sqlite.path; the log names the cause",
                        Settings.Store.MEMORY.word());
            case REDIS -> throw new IllegalStateException("the store redis is not built yet");
            case MEMORY ->
                new OutageWords(
                        "memory idempotency store is full of claims (dedup best-effort until it recovers)",
                        "use exactlyonce.store=sqlite, or a shorter exactlyonce.lease",
                        Settings.Store.MEMORY.word());
        };
    }
}
