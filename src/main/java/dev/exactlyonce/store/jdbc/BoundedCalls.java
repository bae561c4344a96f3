package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs calls on threads of its own, each within a bounded time. A pool that is exhausted or a network that is silent can hold
 * a call for longer than a delivery may wait; and a thread of the application may be inside a transaction, which the store's
 * connections must not join. Thread-safe.
 */
final class BoundedCalls implements AutoCloseable {
    /** More than callers that wait for one database are served faster by. */
    private static final int MOST_THREADS = 128;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Duration timeout;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            MOST_THREADS,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            new DaemonThreads("exactly-once-jdbc"));

    BoundedCalls(Duration timeout) {
        this.timeout = timeout;
    }

    /** @throws StoreUnavailableException when it did not end in time; it may end later */
    <R> R call(Callable<R> work) throws Exception {
        FutureTask<R> task = new FutureTask<>(work);
        try {
            threads.execute(task);
        } catch (RejectedExecutionException full) {
            throw new StoreUnavailableException("too many operations wait for the database", full);
        }
        try {
            return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            task.cancel(true);
            throw new StoreUnavailableException("the database did not answer within " + timeout, late);
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for the database", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
