package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.NoNettyThreadLocals;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.DelegatingStore;
import dev.exactlyonce.testkit.IdempotencyStoreContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract over a Redis, whose clock runs by itself: time passes there by moving what is due. */
@Timeout(120)
@ExtendWith(NoNettyThreadLocals.class)
abstract class RedisStoreContract extends IdempotencyStoreContract {
    /** Long enough for a busy machine. */
    static final Duration PATIENT = Duration.ofSeconds(10);

    /**
     * Moves what every key is due at, to the millisecond: a remainder is taken and set at one instant, or the clock that
     * ticks between would be added to it.
     */
    static final String LET_PASS = """
            redis.replicate_commands()
            local function now()
              local time = redis.call('TIME')
              return time[1] * 1000 + math.floor(time[2] / 1000)
            end
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local before, left
              repeat
                before = now()
                left = redis.call('PTTL', key)
              until before == now()
              if left >= 0 then
                redis.call('PEXPIREAT', key, string.format('%.0f', before + left - ARGV[1]))
              end
            end
            """;

    final Watched watched = new Watched();

    /** One for all tests of a class. */
    abstract RedisProcess redis();

    RedisSettings settings() {
        return redis().settings(PATIENT);
    }

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        redis().command("FLUSHALL");
        return connected(new RedisStore(settings(), watched));
    }

    /** One store for all tests of a class, which saves the time that a client takes; its tests close nothing. */
    static final class Shared implements AutoCloseable {
        private RedisStore store;

        IdempotencyStore open(RedisProcess redis, RedisSettings settings) {
            redis.command("FLUSHALL");
            store = store == null ? connected(new RedisStore(settings, new Watched())) : store;
            return new DelegatingStore(store) {
                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {
            if (store != null) {
                store.close();
            }
        }
    }

    /** The first connection may take longer than a store waits. */
    static RedisStore connected(RedisStore store) {
        await().ignoreExceptionsInstanceOf(StoreUnavailableException.class).until(() -> {
            store.probe();
            return true;
        });
        return store;
    }

    @Override
    protected void letPass(Duration time) {
        redis().command("EVAL", LET_PASS, "0", Long.toString(time.toMillis()));
    }

    @Test
    void whatIsNoStringKeepsNoOtherClaimFromBeingRenewed() {
        Claim one = held("one");
        Claim strange = claim("strange");
        Claim two = held("two");
        redis().command("LPUSH", "exactlyonce:hookidem:" + strange.key().value(), "a");

        List<Renewal> answers = store.renewAll(List.of(one, strange, two));

        assertThat(answers.get(0)).isEqualTo(Renewal.HELD);
        assertThat(answers.get(1)).isInstanceOf(Renewal.Unanswered.class);
        assertThat(answers.get(2)).isEqualTo(Renewal.HELD);
    }

    @Override
    protected Duration tick() {
        return Duration.ofMillis(300);
    }
}
