package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.redis.NettyThreadLocals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisClient;
import org.redisson.client.RedisConnection;
import org.redisson.connection.MasterSlaveEntry;

/**
 * One connection to a master that all callers share. What callers bring while a batch of commands is on its way waits
 * and leaves together, in one write: that is what makes many callers cheap. It is used once: when the connection is
 * lost, or Redis does not reply, it ends, and the next caller opens another.
 *
 * <p>Commands are sent by the connection's own thread, replies come in on it. The client's per-command machinery (its
 * pool, its timers, its repetitions) is not used: callers keep their own deadlines.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure here closes the channel, which is handled
public final class SharedConnection {
    /** Enough that no caller waits for a distant server's reply to another, few enough that batches are large. */
    private static final int MOST_BATCHES = 8;

    private static final int MOST_PER_BATCH = 256;

    /** What a connection may take beyond one command's timeout. */
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(3);

    /** The connection was lost: callers may repeat their commands over another. */
    static final class Cut extends IOException {
        private static final long serialVersionUID = 1L;

        Cut() {
            super("the connection was cut");
        }

        /** Made for each waiting command, so without a stack trace. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** The owner of the connections. */
    interface Keeper {
        void opened(SharedConnection link);

        void died(SharedConnection link);
    }

    private final MasterSlaveEntry master;
    private final RedisClient server;
    private final Duration timeout;
    private final Replication replication;
    private final Keeper keeper;

    private final Queue<QueuedCommand> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<CommandBatch> batches = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean isOpened = new AtomicBoolean();
    private final AtomicBoolean drainIsDue = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
    private final long openedNanos = System.nanoTime();
    private volatile @Nullable RedisConnection connection;

    SharedConnection(MasterSlaveEntry master, Duration timeout, int replicas, Keeper keeper) {
        this.master = master;
        this.server = master.getClient();
        this.timeout = timeout;
        this.replication = new Replication(replicas, timeout);
        this.keeper = keeper;
    }

    public MasterSlaveEntry master() {
        return master;
    }

    boolean isDead() {
        return end.get() != null;
    }

    /** Whether another server has become the master since. */
    boolean isOfFormerMaster() {
        return master.getClient() != server;
    }

    /** Connects, once, without waiting: commands that are submitted in the meantime are sent afterwards. */
    void open() {
        if (isOpened.get() || !isOpened.compareAndSet(false, true)) {
            return;
        }
        try {
            NettyThreadLocals.removedAfter(server::connectAsync).whenComplete((connected, failure) -> {
                if (failure != null) {
                    die(RedisExceptions.cause(failure));
                } else {
                    opened(connected);
                }
            });
        } catch (RuntimeException e) {
            die(e);
        }
    }

    private void opened(RedisConnection connected) {
        connection = connected;
        if (isDead()) { // too late: no caller waits any more
            connected.closeAsync();
            return;
        }
        connected.getChannel().closeFuture().addListener(closed -> die(new Cut()));
        keeper.opened(this);
        drainSoon();
    }

    public void submit(QueuedCommand operation) {
        waiting.add(operation);
        if (isDead()) {
            failAll();
        } else {
            drainSoon();
        }
    }

    /** Waits for the reply, as long as the deadline allows. */
    CommandReply await(QueuedCommand operation, Deadline deadline) {
        try {
            return CommandReply.of(deadline.await(operation.reply()));
        } catch (ExecutionException e) {
            Throwable why = RedisExceptions.cause(e);
            if (RedisExceptions.isOfReplica(why) && isOlderThan(openedNanos, timeout)) {
                die(new Cut()); // its address may lead to another server by now
            }
            return CommandReply.failed(why);
        } catch (TimeoutException e) {
            operation.giveUp();
            endIfSilent();
            return CommandReply.failed(operation.isUnconfirmed() ? RedisExceptions.tooFewReplicas() : e);
        }
    }

    /**
     * A link on which nothing has come back for the whole timeout is given up, so that the next caller has a fresh one.
     * Connecting may take longer than a command: else no connection would ever come to be under a short timeout.
     */
    private void endIfSilent() {
        CommandBatch oldest = batches.peek();
        boolean isSilent;
        if (connection == null) {
            isSilent = isOlderThan(openedNanos, timeout.plus(CONNECTS_WITHIN));
        } else {
            isSilent = oldest != null && isOlderThan(oldest.sentNanos(), timeout);
        }
        if (isSilent) {
            die(new Cut());
        }
    }

    private static boolean isOlderThan(long sinceNanos, Duration age) {
        return System.nanoTime() - sinceNanos >= age.toNanos();
    }

    private void drainSoon() {
        RedisConnection open = connection;
        if (open == null || drainIsDue.get() || !drainIsDue.compareAndSet(false, true)) {
            return;
        }
        try {
            open.getChannel().eventLoop().execute(() -> drain(open));
        } catch (RejectedExecutionException e) {
            die(e);
        }
    }

    private void drain(RedisConnection open) {
        drainIsDue.set(false);
        while (inFlight.get() < MOST_BATCHES && !isDead()) {
            CommandBatch next = new CommandBatch(next(), replication);
            if (next.isEmpty()) {
                return;
            }
            batches.add(next);
            inFlight.incrementAndGet();
            next.send(open, () -> completed(next));
        }
        if (isDead()) {
            failAll();
        }
    }

    private List<QueuedCommand> next() {
        List<QueuedCommand> next = new ArrayList<>();
        while (next.size() < MOST_PER_BATCH) {
            QueuedCommand operation = waiting.poll();
            if (operation == null) {
                break;
            }
            if (operation.begin()) {
                next.add(operation);
            }
        }
        return next;
    }

    private void completed(CommandBatch batch) {
        batches.remove(batch);
        inFlight.decrementAndGet();
        if (isDead()) {
            failAll();
        } else if (!waiting.isEmpty() || replication.isPending()) {
            drainSoon();
        }
    }

    /** Closes the connection; commands that wait for a reply fail. */
    void die(Throwable cause) {
        if (!end.compareAndSet(null, cause)) {
            return;
        }
        keeper.died(this);
        RedisConnection open = connection;
        if (open != null) {
            NettyThreadLocals.removedAfter(open::closeAsync);
        }
        failAll();
    }

    private void failAll() {
        Throwable cause = end.get();
        Throwable reason = cause == null ? new Cut() : cause;
        for (QueuedCommand operation = waiting.poll(); operation != null; operation = waiting.poll()) {
            operation.reply().completeExceptionally(reason);
        }
        for (CommandBatch batch = batches.poll(); batch != null; batch = batches.poll()) {
            batch.fail(reason);
        }
        replication.fail(reason);
    }
}
