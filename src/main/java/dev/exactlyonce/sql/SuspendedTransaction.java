package dev.exactlyonce.sql;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs work on a thread of its own: a transaction of the caller's is bound to the caller's thread. */
public final class SuspendedTransaction {
    private SuspendedTransaction() {}

    /** Waits for the end, uninterruptibly; throws what the work throws. */
    public static <R> R call(Supplier<R> work) {
        FutureTask<R> task = new FutureTask<>(work::get);
        Thread thread = new Thread(task, "exactly-once-sql-aside");
        thread.setDaemon(true);
        thread.start();
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return (RuntimeException) Objects.requireNonNull(cause); // a supplier throws nothing else
    }
}
