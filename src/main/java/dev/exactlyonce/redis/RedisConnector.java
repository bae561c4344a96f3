package dev.exactlyonce.redis;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.config.Config;

/**
 * Redisson, connected once it is needed. Connecting blocks as long as Redis is away, so it runs on a thread of its own; a
 * client that failed to connect is thrown away, since each of its attempts would leave something behind. Thread-safe.
 */
public final class RedisConnector implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RedisConnector.class.getName());
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    /** Between two attempts to connect; callers in between get the failure of the last one at once. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final BackgroundThread background;
    private final ConfigSource source;
    private @Nullable CompletableFuture<Redisson> connecting;
    private long mayConnectNanos = System.nanoTime();
    private volatile @Nullable Redisson client;
    private volatile boolean closed;

    /** Where a new client's configuration comes from. */
    @FunctionalInterface
    public interface ConfigSource {
        Config read() throws IOException;
    }

    /** @param background closed with this connector */
    public RedisConnector(BackgroundThread background, ConfigSource source) {
        this.background = background;
        this.source = source;
    }

    /** The client; null while there is none. */
    public @Nullable Redisson connected() {
        return client;
    }

    /**
     * The client of the current attempt to connect; begins one when there is none, or when the last one has failed. Waits
     * for nothing.
     *
     * @return fails with a {@link RedisUnavailableException} alone
     */
    public synchronized CompletableFuture<Redisson> connect() {
        if (closed) {
            return CompletableFuture.failedFuture(new RedisUnavailableException(RedisFailure.CLOSED));
        }
        CompletableFuture<Redisson> last = connecting;
        if (last != null && !(last.isCompletedExceptionally() && System.nanoTime() - mayConnectNanos >= 0)) {
            return last;
        }
        CompletableFuture<Redisson> next = new CompletableFuture<>();
        connecting = next;
        background.execute(() -> connect(next));
        return next;
    }

    private void connect(CompletableFuture<Redisson> promise) {
        Redisson made = null;
        try {
            if (closed) {
                throw new RedisUnavailableException(RedisFailure.CLOSED);
            }
            made = (Redisson) Redisson.create(source.read());
            made.getCommandExecutor().getConnectionManager().getEntrySet(); // connects
            client = made;
            promise.complete(made);
        } catch (Throwable failure) { // of any kind: callers wait for the promise
            String kind = RedisFailure.of(failure);
            try {
                end(made);
            } finally {
                pause();
                promise.completeExceptionally(
                        new RedisUnavailableException(kind == null ? "the Redis client could not be set up" : kind));
            }
        }
    }

    private synchronized void pause() {
        mayConnectNanos = System.nanoTime() + PAUSE.toNanos();
    }

    private static void end(@Nullable Redisson client) {
        if (client == null) {
            return;
        }
        try {
            client.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException | LinkageError again) {
            LOG.log(Level.DEBUG, "a Redis client could not be ended");
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
        background.close(() -> end(client)); // after an attempt to connect that is running
    }
}
