package dev.exactlyonce.config;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import dev.exactlyonce.store.redis.RedisStoreSettings;
import java.time.Duration;
import java.util.List;

/** The settings of the turn lock. */
final class TurnSettings {
    private static final String NAMESPACE = "exactlyonce.turn-lock.";
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Where turns are kept. */
    enum TurnBackend {
        LOCAL,
        REDIS
    }

    static final SettingDefinition<TurnBackend> BACKEND = SettingDefinition.optional(
                    NAMESPACE + "backend",
                    SettingType.choice(TurnBackend.class),
                    "Where the turn lock keeps its turns: in this replica alone, or in the Redis that replicas share.")
            .withDocumentedDefault("`redis` with the store `redis`, else `local`");

    static final SettingDefinition<Duration> TTL = SettingDefinition.of(
            NAMESPACE + "ttl",
            SettingType.duration(SHORTEST_TTL, LONGEST),
            Duration.ofSeconds(60),
            "How long a turn is held without a renewal: after this time the turn of a replica that died is free. Turns are"
                    + " renewed every third of it.");

    static final SettingDefinition<Duration> WAIT = SettingDefinition.of(
            NAMESPACE + "wait",
            SettingType.duration(Duration.ZERO, LONGEST),
            Duration.ofSeconds(5),
            "How long to wait for a turn when the call does not say. A delivery that waits longer is answered 503.");

    static final SettingDefinition<String> PREFIX = SettingDefinition.optional(
                    NAMESPACE + "prefix",
                    RedisStoreSettings.prefixOfKeys(),
                    "The prefix of the turn lock's keys and channels in Redis.")
            .withDocumentedDefault("`exactlyonce.redis.prefix`");

    static final SettingDefinition<RedisSettings.Server> URL = SettingDefinition.optional(
                    NAMESPACE + "url",
                    RedisStoreSettings.urlOfServer(),
                    "The address of a Redis of the turn lock's own, written as `exactlyonce.redis.url`.")
            .withDocumentedDefault("the Redis of the `exactlyonce.redis` settings");

    static final List<SettingDefinition<?>> ALL = List.of(BACKEND, TTL, WAIT, PREFIX, URL);

    private TurnSettings() {}
}
