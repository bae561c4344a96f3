package dev.exactlyonce.config;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.store.redis.RedisStore;
import java.util.Optional;

/** What the store redis says of its client before it is opened. */
interface RedisClientCheck {
    /** The store's own. */
    RedisClientCheck OF_THE_STORE = new RedisClientCheck() {
        @Override
        public boolean isThere() {
            return RedisSettings.isClientThere(); // the store itself cannot be loaded without it
        }

        @Override
        public Optional<String> faultOf(RedisSettings settings) {
            return RedisStore.faultOf(settings);
        }
    };

    /** Whether the application brings Redisson. */
    boolean isThere();

    /** What Redisson cannot take in these settings, without any secret; asked only where it is there. */
    Optional<String> faultOf(RedisSettings settings);
}
