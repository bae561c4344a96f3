package dev.exactlyonce.sqlite;

import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One operation on its way through the writer thread, and the caller that waits for it. */
final class Call<T extends Table, R> {
    private enum State {
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        GIVEN_UP
    }

    private final GroupCommit.Operation<T, R> operation;
    private final Trouble trouble;
    private final Thread caller = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private @Nullable R result;
    private @Nullable Throwable cause;
    private volatile @Nullable Waking waking;

    Call(GroupCommit.Operation<T, R> operation, Trouble trouble) {
        this.operation = operation;
        this.trouble = trouble;
    }

    /** Takes the call up, unless its caller has stopped waiting: then it must not be applied any more. */
    boolean begin() {
        return state.compareAndSet(State.WAITING, State.RUNNING);
    }

    void run(T table) throws SQLException {
        result = operation.on(table);
    }

    /** The commit that holds the operation is on disk. */
    void succeed(Waking callers) {
        end(State.DONE, callers);
    }

    void fail(Throwable why, Waking callers) {
        cause = why;
        end(State.FAILED, callers);
    }

    private void end(State last, Waking callers) {
        waking = callers;
        state.updateAndGet(now -> now == State.GIVEN_UP ? now : last);
    }

    /** Wakes the caller; returns whether it has waited for its answer until now. */
    boolean wake() {
        LockSupport.unpark(caller);
        return state.get() != State.GIVEN_UP;
    }

    R await(long timeoutNanos) {
        try {
            return awaitAnswer(timeoutNanos);
        } finally {
            Waking callers = waking;
            if (callers != null && state.get() != State.GIVEN_UP) {
                callers.goOn();
            }
        }
    }

    private R awaitAnswer(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                State now = state.get();
                if (now == State.DONE) {
                    return Objects.requireNonNull(result);
                }
                if (now == State.FAILED) {
                    throw trouble.of("the SQLite file cannot be written", cause);
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 && state.compareAndSet(now, State.GIVEN_UP)) {
                    throw trouble.of("the SQLite file did not answer in time", null);
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
