package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.ClientConfig;
import dev.exactlyonce.redis.NettyThreadLocals;
import dev.exactlyonce.redis.RedisFailure;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.OutboxUnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConfigSupport;

/**
 * Redisson, connected. It connects on a thread of our own, since that blocks as long as Redis is away; and a client that
 * failed to is thrown away, since each of its attempts would leave something behind. Thread-safe.
 */
final class Connection implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Connection.class.getName());
    private static final int NETTY_THREADS = 2;
    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    /** Between two attempts to connect; whoever comes meanwhile hears at once how the last one ended. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final RedisSettings settings;
    private final ThreadPoolExecutor background;
    private @Nullable CompletableFuture<RedissonClient> connecting;
    private long mayConnectNanos = System.nanoTime();
    private volatile boolean closed;

    /** Begins to connect, and waits for nothing: the first connection takes longer than a caller is ready to wait. */
    Connection(RedisSettings settings) {
        this.settings = settings;
        this.background = new ThreadPoolExecutor(
                1,
                1,
                IDLE_THREAD.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                Connection::backgroundThread);
        this.background.allowCoreThreadTimeOut(true);
        var unused = connecting();
    }

    private static Thread backgroundThread(Runnable work) {
        Thread thread = new Thread(work, "exactly-once-dead-letters-redis");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * What Redis answers. Waits for the settings' timeout at most, twice where it has to connect.
     *
     * @throws OutboxUnavailableException when it answers nothing, or nothing good; a command may have been applied
     */
    <T> T call(Function<RedissonClient, ? extends CompletionStage<T>> command) {
        return call(command, Duration.ZERO);
    }

    /** @param longer what the command may take beyond the timeout */
    <T> T call(Function<RedissonClient, ? extends CompletionStage<T>> command, Duration longer) {
        try {
            RedissonClient client = await(connecting(), settings.timeout());
            return await(
                    NettyThreadLocals.removedAfter(() -> command.apply(client)).toCompletableFuture(),
                    settings.timeout().plus(longer));
        } catch (ExecutionException | CompletionException e) {
            throw unavailable(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException | RuntimeException e) {
            throw unavailable(e);
        }
    }

    /** Without the cause, which tells hosts and keys. */
    private static OutboxUnavailableException unavailable(Throwable trouble) {
        if (trouble instanceof OutboxUnavailableException named) {
            return new OutboxUnavailableException(String.valueOf(named.getMessage())); // many hear of one attempt
        }
        String kind = RedisFailure.of(trouble);
        if (kind == null && trouble instanceof RuntimeException fault) {
            throw fault;
        }
        return new OutboxUnavailableException(kind == null ? "Redis failed" : kind);
    }

    private static <T> T await(Future<T> future, Duration atMost) throws ExecutionException, TimeoutException {
        long end = System.nanoTime() + atMost.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized CompletableFuture<RedissonClient> connecting() {
        if (closed) {
            throw new OutboxUnavailableException(RedisFailure.CLOSED);
        }
        CompletableFuture<RedissonClient> last = connecting;
        if (last != null && !(last.isCompletedExceptionally() && System.nanoTime() - mayConnectNanos >= 0)) {
            return last;
        }
        CompletableFuture<RedissonClient> next = new CompletableFuture<>();
        connecting = next;
        background.execute(() -> connect(next));
        return next;
    }

    private void connect(CompletableFuture<RedissonClient> promise) {
        RedissonClient client = null;
        try {
            Redisson made = (Redisson) Redisson.create(config());
            client = made;
            made.getCommandExecutor().getConnectionManager().getEntrySet(); // connects
            promise.complete(made);
        } catch (Throwable e) { // whatever it is: callers wait for the promise
            if (client != null) {
                end(client);
            }
            synchronized (this) {
                mayConnectNanos = System.nanoTime() + PAUSE.toNanos();
            }
            String kind = RedisFailure.of(e);
            promise.completeExceptionally(
                    new OutboxUnavailableException(kind == null ? "the Redis client could not be set up" : kind));
        }
    }

    /** Nothing is repeated here: a command whose reply was lost may have been applied, and its caller decides. */
    private Config config() throws IOException {
        Config config = ClientConfig.of(settings);
        config.setNettyThreads(NETTY_THREADS);
        ConfigSupport.getConfig(config).setRetryAttempts(0);
        return config;
    }

    private static void end(RedissonClient client) {
        try {
            client.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException | LinkageError again) {
            LOG.log(Level.DEBUG, "a Redis client could not be ended");
        }
    }

    private void endConnected() {
        CompletableFuture<RedissonClient> last;
        synchronized (this) {
            last = connecting;
        }
        if (last != null && last.isDone() && !last.isCompletedExceptionally()) {
            end(last.join());
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        background.execute(this::endConnected); // after whatever attempt is being made
        background.shutdown();
        try {
            if (!background.awaitTermination(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.DEBUG, "the Redis client did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
