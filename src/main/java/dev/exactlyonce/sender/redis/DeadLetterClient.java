package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.BackgroundThread;
import dev.exactlyonce.redis.ClientConfig;
import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.NettyThreadLocals;
import dev.exactlyonce.redis.RedisConnector;
import dev.exactlyonce.redis.RedisFailure;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.OutboxUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConfigSupport;

/** Runs commands on Redisson, which a {@link RedisConnector} connects. Thread-safe. */
final class DeadLetterClient implements AutoCloseable {
    private static final int NETTY_THREADS = 2;

    private final RedisSettings settings;
    private final RedisConnector connector;

    /** Begins to connect, and waits for nothing: the first connection takes longer than a caller can wait. */
    DeadLetterClient(RedisSettings settings) {
        this.settings = settings;
        this.connector =
                new RedisConnector(new BackgroundThread("exactly-once-dead-letters-redis"), () -> config(settings));
        var unused = connector.connect();
    }

    /** Nothing is repeated here: a command whose reply was lost may have been applied, and its caller decides. */
    private static Config config(RedisSettings settings) throws IOException {
        Config config = ClientConfig.of(settings);
        config.setNettyThreads(NETTY_THREADS);
        ConfigSupport.getConfig(config).setRetryAttempts(0);
        return config;
    }

    /**
     * What Redis replies. Waits for the settings' timeout at most, twice where it has to connect.
     *
     * @throws OutboxUnavailableException when it does not reply, or replies an error; a command may have been applied
     */
    <T> T call(Function<RedissonClient, ? extends CompletionStage<T>> command) {
        return call(command, Duration.ZERO);
    }

    /** @param longer what the command may take beyond the timeout */
    <T> T call(Function<RedissonClient, ? extends CompletionStage<T>> command, Duration longer) {
        try {
            RedissonClient client = Deadline.in(settings.timeout()).await(connector.connect());
            return Deadline.in(settings.timeout().plus(longer))
                    .await(NettyThreadLocals.removedAfter(() -> command.apply(client))
                            .toCompletableFuture());
        } catch (ExecutionException | CompletionException e) {
            throw unavailable(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException | RuntimeException e) {
            throw unavailable(e);
        }
    }

    /** Without the cause, which contains hosts and keys. */
    private static OutboxUnavailableException unavailable(Throwable failure) {
        if (failure instanceof OutboxUnavailableException named) {
            return named;
        }
        String kind = RedisFailure.of(failure);
        if (kind == null && failure instanceof RuntimeException fault) {
            throw fault;
        }
        return new OutboxUnavailableException(kind == null ? "Redis failed" : kind);
    }

    @Override
    public void close() {
        connector.close();
    }
}
