package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.BackgroundThread;
import dev.exactlyonce.redis.ClientConfig;
import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.RedisConnector;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;
import org.redisson.misc.RedisURI;

/**
 * Sends commands over one {@link SharedConnection} to each master. Redisson finds the masters and logs in; a {@link
 * RedisConnector} connects it.
 */
public final class PipelinedClient implements SharedConnection.Keeper, AutoCloseable {
    /** Between two runs of repeated work. */
    public static final Duration TICK = Duration.ofSeconds(1);

    private static final int MOST_KEYS_TRIED = 10_000;

    private final RedisSettings settings;
    private final Duration tick;
    private final BackgroundThread background;
    private final RedisConnector connector;
    private final Map<MasterSlaveEntry, SharedConnection> connections = new ConcurrentHashMap<>();
    private volatile Consumer<SharedConnection> opened = connection -> {};
    private volatile boolean closed;

    /** @param background closed with this client */
    public PipelinedClient(RedisSettings settings, BackgroundThread background, Duration tick) {
        this.settings = settings;
        this.background = background;
        this.tick = tick;
        this.connector = new RedisConnector(background, () -> ClientConfig.of(settings));
    }

    /**
     * Begins to connect, and waits for nothing: the first connection takes longer than a caller can wait.
     *
     * @param onOpened called with each new connection; takes no time
     */
    public void start(Consumer<SharedConnection> onOpened) {
        opened = onOpened;
        var unused = connector.connect();
    }

    /** Runs the work at each tick, about once a second, while the client is connected, on the background thread. */
    public void repeat(Runnable work) {
        background.repeat(tick, () -> {
            if (manager() != null) {
                work.run();
            }
        });
    }

    /** Subscribes to the channel as soon as the client is connected, and again when that fails. Waits for nothing. */
    public void subscribe(String channel, ChannelListener listener) {
        ChannelSubscription subscription = new ChannelSubscription(channel, listener);
        var unused = connector.connect().thenAccept(subscription::open);
        background.repeat(tick, () -> {
            Redisson client = connector.connected();
            if (client != null) {
                subscription.open(client);
            }
        });
    }

    /** The open connections, one a master. */
    public Collection<SharedConnection> connections() {
        return connections.values();
    }

    private @Nullable ConnectionManager manager() {
        Redisson client = connector.connected();
        return client == null ? null : managerOf(client);
    }

    private static ConnectionManager managerOf(Redisson client) {
        return client.getCommandExecutor().getConnectionManager();
    }

    /** A key that this master keeps: in a Cluster each keeps some of the slots, and one without any keeps none. */
    public Optional<String> keyAt(MasterSlaveEntry master, String start) {
        ConnectionManager it = manager();
        return it == null
                ? Optional.empty()
                : IntStream.range(0, MOST_KEYS_TRIED)
                        .mapToObj(i -> start + ":" + i)
                        .filter(key -> it.getWriteEntry(it.calcSlot(key)) == master)
                        .findFirst();
    }

    /** The master that keeps the key now. */
    public MasterSlaveEntry masterOf(String key, Deadline deadline) {
        ConnectionManager it = manager(deadline);
        MasterSlaveEntry master = it.getWriteEntry(it.calcSlot(key));
        if (master == null) {
            throw new StoreUnavailableException("the Redis Cluster has no master for a key");
        }
        return master;
    }

    /** Keys of one slot may be changed together. */
    public int slotOf(String key, Deadline deadline) {
        return manager(deadline).calcSlot(key);
    }

    /** The master that a Cluster's redirection names; null when the client does not know it yet. */
    @Nullable
    MasterSlaveEntry masterAt(RedisURI address) {
        ConnectionManager it = manager();
        MasterSlaveEntry entry = it == null ? null : it.getEntry(address);
        return entry != null && address.equals(entry.getClient().getAddr()) ? entry : null;
    }

    SharedConnection connectionTo(MasterSlaveEntry master) {
        if (closed) {
            throw new StoreUnavailableException(RedisExceptions.CLOSED);
        }
        SharedConnection connection = connections.get(master);
        if (connection != null && connection.isOfFormerMaster()) {
            connection.die(new SharedConnection.Cut());
        }
        if (connection == null || connection.isDead()) {
            connection = connections.compute(
                    master,
                    (key, old) -> old == null || old.isDead()
                            ? new SharedConnection(master, settings.timeout(), settings.waitReplicas(), this)
                            : old);
        }
        connection.open();
        return connection;
    }

    @Override
    public void opened(SharedConnection connection) {
        opened.accept(connection);
    }

    @Override
    public void died(SharedConnection connection) {
        connections.remove(connection.master(), connection);
    }

    private ConnectionManager manager(Deadline deadline) {
        ConnectionManager it = manager();
        if (it != null) {
            return it;
        }
        try {
            return managerOf(deadline.await(connector.connect()));
        } catch (ExecutionException | TimeoutException e) {
            // one of this caller's own: many callers share the attempt
            throw new StoreUnavailableException(
                    String.valueOf(RedisExceptions.of(RedisExceptions.cause(e)).getMessage()));
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
        connections.values().forEach(connection -> connection.die(new RejectedExecutionException()));
        connector.close();
    }
}
