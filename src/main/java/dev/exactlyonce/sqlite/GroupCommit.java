package dev.exactlyonce.sqlite;

import dev.exactlyonce.common.SafeLog;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread that owns the table and commits the operations that wait together. An operation is acknowledged after the
 * commit that holds it, and fails with every other one of its commit: nothing is said before the disk has it. Opens nothing
 * yet: the first operation does, and after a failure the next one does again. Thread-safe.
 */
public final class GroupCommit<T extends Table> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

    /** Enough to share a flush, few enough to keep the transaction short for other processes. */
    private static final int MOST_PER_COMMIT = 256;

    private static final int PURGE_BATCH = 200;

    /** How often the writer checks the file for changes by other programs and purges expired rows. */
    public static final Duration UPKEEP_EVERY = Duration.ofSeconds(1);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    /** Work on the table, inside a transaction. */
    @FunctionalInterface
    public interface TableOperation<T extends Table, R> {
        R on(T table) throws SQLException;
    }

    /** Opens the table; repeated after a failure. */
    @FunctionalInterface
    public interface Opener<T extends Table> {
        T open() throws SQLException;
    }

    private final Opener<T> opener;
    private final UnavailableExceptionFactory unavailable;
    private final Consumer<FileLoss> onLoss;
    private final long timeoutNanos;
    private final Duration upkeepEvery;
    private final BlockingQueue<PendingOperation<T, ?>> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closing;
    private @Nullable T table;
    private @Nullable String identity;
    private long nextUpkeep = System.nanoTime();

    /**
     * @param name of the writer thread
     * @param timeout how long a caller waits at most
     * @param unavailable makes the exception for a caller whose operation cannot be executed
     */
    public GroupCommit(String name, Opener<T> opener, Duration timeout, UnavailableExceptionFactory unavailable) {
        this(name, opener, timeout, unavailable, loss -> {}, UPKEEP_EVERY);
    }

    /**
     * @param onLoss hears, on the writer thread, that another program has changed the file; returns at once
     * @param upkeepEvery {@link #UPKEEP_EVERY}, or less in a test
     */
    public GroupCommit(
            String name,
            Opener<T> opener,
            Duration timeout,
            UnavailableExceptionFactory unavailable,
            Consumer<FileLoss> onLoss,
            Duration upkeepEvery) {
        this.opener = opener;
        this.upkeepEvery = upkeepEvery;
        this.unavailable = unavailable;
        this.onLoss = onLoss;
        this.timeoutNanos = timeout.toNanos();
        this.thread = new Thread(this::write, name);
        this.thread.setDaemon(true);
        this.thread.start();
    }

    /**
     * Runs the operation in the next commit and waits for it, uninterruptibly: a record must not be lost to a handler's
     * timeout.
     *
     * @throws RuntimeException the {@link UnavailableExceptionFactory}, when it failed or did not come to its commit in time
     */
    public <R> R call(TableOperation<T, R> operation) {
        return call(operation, timeoutNanos);
    }

    /** The same, for a caller that waits less long. */
    public <R> R call(TableOperation<T, R> operation, Duration atMost) {
        return call(operation, Math.min(timeoutNanos, atMost.toNanos()));
    }

    private <R> R call(TableOperation<T, R> operation, long waitNanos) {
        PendingOperation<T, R> call = new PendingOperation<>(operation, unavailable);
        if (closing) {
            throw unavailable.of("the SQLite file is closed", null);
        }
        waiting.add(call);
        return call.await(waitNanos);
    }

    private void write() {
        List<PendingOperation<T, ?>> batch = new ArrayList<>(MOST_PER_COMMIT);
        while (!closing || !waiting.isEmpty()) {
            try {
                writeNext(batch);
            } catch (Throwable fault) { // the writer must live on, and each of its callers have an answer
                endAfter(fault, batch);
            }
        }
        resetAfter(new SQLException("closed"));
        answer(List.copyOf(waiting), (call, callers) -> call.fail(new SQLException("closed"), callers));
    }

    private void writeNext(List<PendingOperation<T, ?>> batch) {
        batch.clear();
        try {
            PendingOperation<T, ?> first = waiting.poll(upkeepEvery.toMillis(), TimeUnit.MILLISECONDS);
            if (first != null) {
                batch.add(first);
                waiting.drainTo(batch, MOST_PER_COMMIT - 1);
            }
        } catch (InterruptedException e) {
            closing = true;
        }
        batch.removeIf(call -> !call.begin());
        commit(batch);
    }

    /** Says it, and answers one by one: what failed once may fail again. */
    private void endAfter(Throwable fault, List<PendingOperation<T, ?>> batch) {
        SafeLog.log(LOG, Level.ERROR, "EXON0204 the writer of the SQLite file met an error; it goes on", fault);
        for (PendingOperation<T, ?> call : batch) {
            try {
                answer(List.of(call), (it, callers) -> it.fail(fault, callers));
            } catch (Throwable again) {
                SafeLog.log(LOG, Level.DEBUG, "a caller could not be answered; it ends with its timeout", again);
            }
        }
        reset();
    }

    private void commit(List<PendingOperation<T, ?>> batch) {
        boolean upkeep = System.nanoTime() - nextUpkeep >= 0 && (table != null || !batch.isEmpty());
        if (batch.isEmpty() && !upkeep) {
            return;
        }
        try {
            if (upkeep && table != null) {
                table.file().look().ifPresent(this::lose);
            }
            T open = open();
            open.file().begin();
            for (PendingOperation<T, ?> call : batch) {
                call.run(open);
            }
            int purged = upkeep ? upkeep(open) : 0;
            open.file().commit();
            answer(batch, PendingOperation::succeed);
            if (upkeep && purged < PURGE_BATCH) {
                nextUpkeep = System.nanoTime() + upkeepEvery.toNanos();
            }
        } catch (SQLException | RuntimeException | Error fault) {
            resetAfter(fault);
            nextUpkeep = System.nanoTime() + upkeepEvery.toNanos();
            answer(batch, (call, callers) -> call.fail(fault, callers));
        }
    }

    private T open() throws SQLException {
        T open = table;
        if (open == null) {
            open = opener.open();
            table = open;
            String before = identity;
            identity = open.file().identity();
            if (before != null && !before.equals(identity)) { // while it could not be used, or before the look noticed
                report(FileLoss.REMOVED);
            }
        }
        return open;
    }

    /** What made an operation fail may be damage, and closing the file in the usual way would spread it. */
    private void resetAfter(Throwable fault) {
        try {
            if (table != null) {
                table.file().lookAfterFailure().ifPresent(this::lose);
            }
        } catch (SQLException | RuntimeException | Error unknown) {
            SafeLog.log(LOG, Level.DEBUG, "the SQLite file could not be looked at after a failure", unknown);
        }
        if (SqliteConnections.isDamage(fault)) {
            identity = ""; // what can be used next is another file, or was restored
        }
        reset();
    }

    private int upkeep(T open) throws SQLException {
        open.file().keepTime();
        return open.purge(PURGE_BATCH);
    }

    private void lose(FileLoss loss) {
        T open = Objects.requireNonNull(table);
        table = null;
        identity = null;
        open.file().abandon(loss);
        report(loss);
    }

    private void report(FileLoss loss) {
        LOG.log(
                Level.ERROR,
                "EXON0201 the SQLite file was {0} while it was in use: what was committed to it may be gone;"
                        + " stop the application before its file is changed",
                loss.word());
        onLoss.accept(loss);
    }

    private void answer(List<PendingOperation<T, ?>> batch, BiConsumer<PendingOperation<T, ?>, CallerWakeUp> ending) {
        List<PendingOperation<T, ?>> calls = List.copyOf(batch); // the batch is used again
        CallerWakeUp callers = new CallerWakeUp(calls);
        calls.forEach(call -> ending.accept(call, callers));
        callers.begin();
    }

    /** Drops the connection, and with it what was not committed. */
    private void reset() {
        T open = table;
        table = null;
        if (open != null) {
            try {
                open.file().close();
            } catch (SQLException | RuntimeException | Error e) {
                SafeLog.log(LOG, Level.DEBUG, "closing the SQLite file failed", e);
            }
        }
    }

    @Override
    public void close() {
        closing = true;
        PendingOperation<T, Boolean> wakeUp = new PendingOperation<>(table -> true, unavailable);
        wakeUp.fail(new SQLException("closed"), new CallerWakeUp(List.of())); // wakes the writer, and is never begun
        waiting.add(wakeUp);
        try {
            thread.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
