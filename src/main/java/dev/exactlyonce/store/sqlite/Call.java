package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.admission.StoreUnavailableException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One operation on its way through the writer thread, and the caller that waits for it. */
final class Call<T> {
    private enum State {
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        GIVEN_UP
    }

    private final GroupCommit.Operation<T> operation;
    private final Thread caller = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private @Nullable T result;
    private @Nullable Throwable trouble;

    Call(GroupCommit.Operation<T> operation) {
        this.operation = operation;
    }

    /** Takes the call up, unless its caller has stopped waiting: then it must not be applied any more. */
    boolean begin() {
        return state.compareAndSet(State.WAITING, State.RUNNING);
    }

    void run(SqliteTable table) throws SQLException {
        result = operation.on(table);
    }

    /** The commit that holds the operation is on disk. */
    void succeed() {
        end(State.DONE);
    }

    void fail(Throwable cause) {
        trouble = cause;
        end(State.FAILED);
    }

    private void end(State last) {
        state.set(last);
        LockSupport.unpark(caller);
    }

    T await(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                State now = state.get();
                if (now == State.DONE) {
                    return Objects.requireNonNull(result);
                }
                if (now == State.FAILED) {
                    throw new StoreUnavailableException(
                            "the SQLite file cannot be written", Objects.requireNonNull(trouble));
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 && (now == State.RUNNING || state.compareAndSet(State.WAITING, State.GIVEN_UP))) {
                    throw new StoreUnavailableException("the SQLite file did not answer in time");
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
