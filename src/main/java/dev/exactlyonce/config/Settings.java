package dev.exactlyonce.config;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The whole configuration, checked.
 *
 * @param application the application's name, for readiness and the file's name
 * @param sqlite the embedded store's settings, when it is the chosen store, or may stand in for Redis: empty there where
 *     the server cannot keep a file at the place that nobody chose, and memory stands in
 * @param redis the settings of Redis, when it is the chosen store
 * @param warnings what is set and can be lived with, but should be known; each names its property
 * @param maxHold how long the claim of a handler that still runs is renewed, at most
 */
public record Settings(
        String application,
        Store store,
        Optional<SqliteSettings> sqlite,
        Optional<RedisSettings> redis,
        Duration maxHold,
        int remember,
        boolean downWhenDegraded,
        Sources sources,
        SenderConfiguration sending,
        List<String> warnings) {
    public Settings {
        warnings = List.copyOf(warnings);
    }

    /** The stores of this version. */
    public enum Store {
        SQLITE,
        REDIS,
        MEMORY;

        /** As it is written in the configuration. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
