package dev.exactlyonce.bench;

import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.store.redis.RedisProcess;
import dev.exactlyonce.store.redis.RedisStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/** One fresh delivery: reserve and record, in a Redis on this machine that keeps nothing on disk. */
public class RedisDelivery {
    private static final Duration LEASE = Duration.ofMinutes(15);
    private static final Duration TTL = Duration.ofHours(24);

    private static String freshKey() {
        return UUID.randomUUID().toString();
    }

    /** The store, as it is configured by default. */
    @State(Scope.Benchmark)
    public static class Store {
        private RedisProcess redis;
        private RedisStore store;

        @Setup(Level.Trial)
        public void open() {
            redis = RedisProcess.start();
            RedisSettings settings = new RedisSettings(
                    new RedisSettings.Server(false, redis.host(), redis.port(), 0, Optional.empty(), Optional.empty()),
                    Optional.empty(),
                    RedisSettings.DEFAULT_PREFIX,
                    RedisSettings.DEFAULT_TIMEOUT,
                    0);
            store = new RedisStore(settings, new RedisStore.Watcher() {
                @Override
                public void restarted() {}

                @Override
                public void mayEvict(boolean may) {}

                @Override
                public void hidden(RedisStore.Hidden what, boolean is) {}

                @Override
                public void sharedWith(SortedSet<String> applications) {}
            });
            await().ignoreExceptions().until(() -> {
                store.probe(); // the first connection takes its time
                return true;
            });
        }

        @TearDown(Level.Trial)
        public void close() {
            store.close();
            redis.close();
        }
    }

    @Benchmark
    public Object store(Store state) {
        DeliveryKey key = DeliveryKey.of("demo", "POST/hooks/{source}", List.of(freshKey()));
        Claim claim = Claim.fresh(key, Fingerprint.NONE, LEASE);
        state.store.reserve(claim);
        return state.store.record(claim, RecordedAnswer.of(200), TTL);
    }

    /** The raw client: Redisson's bucket and script, with the timeouts of the store and a pool for all threads. */
    @State(Scope.Benchmark)
    public static class Raw {
        private static final String RECORD = """
                local there = redis.call('GET', KEYS[1])
                if not there or there == ARGV[1] then
                  redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3])
                  return 1
                end
                if string.sub(there, 1, #ARGV[2]) == ARGV[2] then
                  redis.call('APPEND', KEYS[1], '')
                  return 1
                end
                return {there, redis.call('PTTL', KEYS[1])}
                """;

        private RedisProcess redis;
        private RedissonClient client;
        private RScript script;
        private String record;

        @Setup(Level.Trial)
        public void open() {
            redis = RedisProcess.start();
            Config config = new Config();
            config.setCodec(StringCodec.INSTANCE);
            config.setNettyThreads(4);
            int timeout = (int) RedisSettings.DEFAULT_TIMEOUT.toMillis();
            config.useSingleServer()
                    .setAddress("redis://" + redis.host() + ":" + redis.port())
                    .setTimeout(timeout)
                    .setConnectTimeout(timeout)
                    .setRetryAttempts(1)
                    .setRetryDelay(new ConstantDelay(Duration.ofMillis(100)));
            client = Redisson.create(config);
            script = client.getScript(StringCodec.INSTANCE);
            record = script.scriptLoad(RECORD);
        }

        @TearDown(Level.Trial)
        public void close() {
            client.shutdown();
            redis.close();
        }
    }

    @Benchmark
    public Object raw(Raw state) {
        String key = "exactlyonce:hookidem:demo:POST/hooks/%7Bsource%7D:" + freshKey();
        String owner = freshKey().replace("-", "");
        String own = "1|in-flight|" + owner + "|-|";
        String recorded = "1|recorded|" + owner + "|-|";
        state.client.<String>getBucket(key, StringCodec.INSTANCE).setIfAbsent(own, LEASE);
        return state.script.evalSha(
                RScript.Mode.READ_WRITE,
                state.record,
                RScript.ReturnType.LONG,
                List.of(key),
                own,
                recorded,
                Long.toString(TTL.toMillis()),
                recorded + "200");
    }
}
