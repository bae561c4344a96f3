package dev.exactlyonce.config;

import dev.exactlyonce.store.redis.RedisSettings;
import java.util.Optional;

/** What the store redis says of its client before it is opened. */
interface RedisClientCheck {
    /** Of an application without one. */
    RedisClientCheck ABSENT = new RedisClientCheck() {
        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public Optional<String> faultOf(RedisSettings settings) {
            return Optional.empty();
        }
    };

    /** Whether the application brings Redisson. */
    boolean isThere();

    /** What Redisson cannot take in these settings, without any secret; asked only where it is there. */
    Optional<String> faultOf(RedisSettings settings);
}
