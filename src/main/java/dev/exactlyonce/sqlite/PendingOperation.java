package dev.exactlyonce.sqlite;

import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One operation on its way through the writer thread, and the caller that waits for it. */
final class PendingOperation<T extends Table, R> {
    private enum OperationState {
        WAITING,
        RUNNING,
        DONE,
        FAILED,

        /** Its caller waits no more: it has its answer, or gave up. */
        GONE
    }

    private final GroupCommit.TableOperation<T, R> operation;
    private final UnavailableExceptionFactory unavailable;
    private final Thread caller = Thread.currentThread();
    private final AtomicReference<OperationState> state = new AtomicReference<>(OperationState.WAITING);
    private @Nullable R result;
    private @Nullable Throwable cause;
    private volatile @Nullable CallerWakeUp waking;

    PendingOperation(GroupCommit.TableOperation<T, R> operation, UnavailableExceptionFactory unavailable) {
        this.operation = operation;
        this.unavailable = unavailable;
    }

    /** Takes the call up, unless its caller has stopped waiting: then it must not be applied any more. */
    boolean begin() {
        return state.compareAndSet(OperationState.WAITING, OperationState.RUNNING);
    }

    void run(T table) throws SQLException {
        result = operation.on(table);
    }

    /** The commit that holds the operation is on disk. */
    void succeed(CallerWakeUp callers) {
        end(OperationState.DONE, null, callers);
    }

    void fail(Throwable why, CallerWakeUp callers) {
        end(OperationState.FAILED, why, callers);
    }

    /** By the writer; the first end counts. */
    private void end(OperationState last, @Nullable Throwable why, CallerWakeUp callers) {
        waking = callers;
        OperationState now = state.get();
        if (now == OperationState.WAITING || now == OperationState.RUNNING) {
            cause = why;
            state.compareAndSet(now, last);
        }
    }

    /** Wakes the caller, unless it is gone; returns whether it was there, and will wake others. */
    boolean wake() {
        boolean there = state.get() != OperationState.GONE;
        if (there) {
            LockSupport.unpark(caller);
        }
        return there;
    }

    R await(long timeoutNanos) {
        try {
            return awaitAnswer(timeoutNanos);
        } finally {
            state.set(OperationState.GONE); // before it asks: see Waking
            CallerWakeUp callers = waking;
            if (callers != null) {
                callers.goOn();
            }
        }
    }

    private R awaitAnswer(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                OperationState now = state.get();
                if (now == OperationState.DONE) {
                    return Objects.requireNonNull(result);
                }
                if (now == OperationState.FAILED) {
                    throw unavailable.of("the SQLite file cannot be used: " + FailureCause.of(cause), cause);
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 && state.compareAndSet(now, OperationState.GONE)) {
                    throw unavailable.of("the SQLite file did not answer in time", null);
                }
                if (left > 0) {
                    LockSupport.parkNanos(this, left);
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
