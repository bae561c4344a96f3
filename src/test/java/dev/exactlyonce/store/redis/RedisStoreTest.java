package dev.exactlyonce.store.redis;

import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.admission.IdempotencyStoreContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RedisStoreTest extends IdempotencyStoreContract {
    /** Long enough for a busy machine. */
    static final Duration PATIENT = Duration.ofSeconds(10);

    /** Shifts every key's expiry, as if that much time had passed. */
    static final String LET_PASS = """
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local left = redis.call('PTTL', key)
              if left >= 0 then
                left = left - tonumber(ARGV[1])
                if left > 0 then redis.call('PEXPIRE', key, left) else redis.call('DEL', key) end
              end
            end
            """;

    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    static RedisSettings settings(RedisProcess redis, Duration timeout) {
        return new RedisSettings(
                new RedisSettings.Server(false, redis.host(), redis.port(), 0, Optional.empty(), Optional.empty()),
                Optional.empty(),
                RedisSettings.DEFAULT_PREFIX,
                timeout,
                0);
    }

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        redis.command("FLUSHALL");
        return new RedisStore(settings(redis, PATIENT), new NoWatcher());
    }

    static final class NoWatcher implements RedisStore.Watcher {
        @Override
        public void restarted() {}

        @Override
        public void mayEvict(boolean may) {}
    }

    @Override
    protected void letPass(Duration time) {
        redis.command("EVAL", LET_PASS, "0", Long.toString(time.toMillis()));
    }

    @Override
    protected Duration tick() {
        return Duration.ofMillis(300);
    }
}
