package dev.exactlyonce.config;

import dev.exactlyonce.redis.RedisSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * The turn lock's configuration.
 *
 * @param redis where turns are kept; empty for turns of this replica alone
 * @param rejectInOutage whether turns are refused while that Redis is unavailable
 */
public record TurnConfiguration(
        Optional<RedisSettings> redis, Duration ttl, Duration longestWait, boolean rejectInOutage) {
    /** Holds neither address nor path. */
    @Override
    public String toString() {
        return "turns of " + (redis.isPresent() ? "all replicas" : "this replica");
    }
}
