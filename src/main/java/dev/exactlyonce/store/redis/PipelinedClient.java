package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.ClientConfig;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;
import org.redisson.misc.RedisURI;

/**
 * Redisson, and one {@link SharedConnection} to each master. Redisson finds the masters and logs in. It connects on a thread of our
 * own, since connecting blocks as long as Redis is away; and a client that failed to is thrown away, since each of its
 * attempts would leave something behind.
 */
final class PipelinedClient implements SharedConnection.Keeper, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PipelinedClient.class.getName());

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    /** Between two attempts; whoever comes meanwhile hears at once how the last one ended. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Between two looks at the masters, and at what else is looked at again and again. */
    static final Duration TICK = Duration.ofSeconds(1);

    private static final String MARKER = "hookidem-marker:";
    private static final int MOST_MARKER_KEYS = 10_000;

    private final RedisSettings settings;
    private final RedisStore.Watcher watcher;
    private final Duration tick;
    private final MasterMonitor monitor;
    private final BackgroundThread background = new BackgroundThread();
    private final Map<MasterSlaveEntry, SharedConnection> links = new ConcurrentHashMap<>();
    private volatile @Nullable ConnectionManager manager;

    private @Nullable Redisson made;
    private @Nullable CompletableFuture<ConnectionManager> connecting;
    private long mayConnectNanos = System.nanoTime();
    private volatile boolean closed;

    /** Begins to connect, and waits for nothing: the first connection takes longer than a caller is ready to wait. */
    PipelinedClient(RedisSettings settings, RedisStore.Watcher watcher, Duration tick) {
        this.settings = settings;
        this.tick = tick;
        this.watcher = new SafeWatcher(watcher, background);
        String process = UUID.randomUUID().toString();
        this.monitor = new MasterMonitor(this.watcher, master -> keyAt(master, settings.prefix() + MARKER + process));
        repeat(() -> monitor.tick(links.values()));
        var unused = connecting();
    }

    /** Hears of what endangers the keys on one thread, in order; fails never, and takes no time. */
    RedisStore.Watcher watcher() {
        return watcher;
    }

    /** Runs the work at each tick, about once a second, while the client is connected, on the background's thread. */
    void repeat(Runnable work) {
        background.repeat(tick, () -> {
            if (manager != null) {
                work.run();
            }
        });
    }

    /** A key that this master keeps: in a Cluster each keeps some of the slots, and one without any keeps none. */
    private Optional<String> keyAt(MasterSlaveEntry master, String start) {
        ConnectionManager it = manager;
        return it == null
                ? Optional.empty()
                : IntStream.range(0, MOST_MARKER_KEYS)
                        .mapToObj(i -> start + ":" + i)
                        .filter(key -> it.getWriteEntry(it.calcSlot(key)) == master)
                        .findFirst();
    }

    /** The master that keeps the key now. */
    MasterSlaveEntry masterOf(String key, Deadline deadline) {
        ConnectionManager it = manager(deadline);
        MasterSlaveEntry master = it.getWriteEntry(it.calcSlot(key));
        if (master == null) {
            throw new StoreUnavailableException("the Redis Cluster has no master for a key");
        }
        return master;
    }

    /** Keys of one slot may be changed together. */
    int slotOf(String key, Deadline deadline) {
        return manager(deadline).calcSlot(key);
    }

    /** The master that a Cluster's redirection names; null when the client has not heard of it yet. */
    @Nullable
    MasterSlaveEntry masterAt(RedisURI address) {
        ConnectionManager it = manager;
        MasterSlaveEntry entry = it == null ? null : it.getEntry(address);
        return entry != null && address.equals(entry.getClient().getAddr()) ? entry : null;
    }

    SharedConnection linkTo(MasterSlaveEntry master) {
        if (closed) {
            throw new StoreUnavailableException(RedisExceptions.CLOSED);
        }
        SharedConnection link = links.get(master);
        if (link != null && link.isOfFormerMaster()) {
            link.die(new SharedConnection.Cut());
        }
        if (link == null || link.isDead()) {
            link = links.compute(
                    master,
                    (key, old) -> old == null || old.isDead()
                            ? new SharedConnection(master, settings.timeout(), settings.waitReplicas(), this)
                            : old);
        }
        link.open();
        return link;
    }

    @Override
    public void opened(SharedConnection link) {
        monitor.look(link);
    }

    @Override
    public void died(SharedConnection link) {
        links.remove(link.master(), link);
    }

    /** Looks at every master again. */
    void look() {
        links.values().forEach(monitor::look);
    }

    private ConnectionManager manager(Deadline deadline) {
        ConnectionManager it = manager;
        if (it != null) {
            return it;
        }
        try {
            return deadline.await(connecting());
        } catch (ExecutionException | TimeoutException e) {
            // one of this caller's own: many hear of the same attempt
            throw new StoreUnavailableException(
                    String.valueOf(RedisExceptions.of(RedisExceptions.cause(e)).getMessage()));
        }
    }

    private synchronized CompletableFuture<ConnectionManager> connecting() {
        if (closed) {
            throw new StoreUnavailableException(RedisExceptions.CLOSED);
        }
        CompletableFuture<ConnectionManager> last = connecting;
        if (last != null && !(last.isCompletedExceptionally() && System.nanoTime() - mayConnectNanos >= 0)) {
            return last;
        }
        CompletableFuture<ConnectionManager> next = new CompletableFuture<>();
        connecting = next;
        background.execute(() -> connect(next));
        return next;
    }

    private Redisson make() throws IOException {
        return (Redisson) Redisson.create(ClientConfig.of(settings));
    }

    private void connect(CompletableFuture<ConnectionManager> promise) {
        try {
            ConnectionManager found = made().getCommandExecutor().getConnectionManager();
            found.getEntrySet(); // connects
            manager = found;
            promise.complete(found);
        } catch (Throwable e) { // whatever it is: callers wait for the promise
            String kind = RedisExceptions.kind(e);
            try {
                throwAway();
            } catch (RuntimeException | LinkageError again) {
                LOG.log(Level.DEBUG, "a Redis client that failed to connect could not be ended");
            } finally {
                promise.completeExceptionally(
                        new StoreUnavailableException(kind == null ? "the Redis client could not be set up" : kind));
            }
        }
    }

    /** On the background's one thread: making one takes long, so nobody is locked out meanwhile. */
    private Redisson made() throws IOException {
        if (closed) {
            throw new StoreUnavailableException(RedisExceptions.CLOSED);
        }
        Redisson it = make();
        synchronized (this) {
            made = it;
        }
        return it;
    }

    private void throwAway() {
        Redisson failed;
        synchronized (this) {
            failed = made;
            made = null;
            mayConnectNanos = System.nanoTime() + PAUSE.toNanos();
        }
        if (failed != null) {
            end(failed);
        }
    }

    private static void end(Redisson client) {
        client.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        links.values().forEach(link -> link.die(new RejectedExecutionException()));
        background.close(this::throwAway); // after whatever attempt is being made
    }
}
