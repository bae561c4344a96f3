package dev.exactlyonce.cdi;

import jakarta.interceptor.InvocationContext;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that the container begins around methods while one handler runs. One that ends rolled back although its
 * method returned normally has undone what the caller takes for done: then the handler has failed, whatever it returns. A
 * method that threw is its caller's to judge, and so is a transaction that the handler ended itself through a {@code
 * UserTransaction}. Seen are the calls on the handler's own thread. For one thread; ends of transactions may come from others.
 */
final class TransactionWatch {
    /** The transactions of the calling thread. */
    interface TransactionAccess {
        /** Which one is active; null without one. */
        @Nullable
        Object key();

        /** @param then hears whether the active one committed, once that is known */
        void onEnd(Consumer<Boolean> then);
    }

    private static final ThreadLocal<TransactionWatch> CURRENT = new ThreadLocal<>();

    private final TransactionAccess transactions;
    private volatile boolean rolledBack;

    /** The transaction around the method that is called next, as far as it is known. */
    private @Nullable Object around;

    private TransactionWatch(TransactionAccess transactions) {
        this.transactions = transactions;
    }

    /** The innermost handler's that runs on this thread. */
    static @Nullable TransactionWatch current() {
        return CURRENT.get();
    }

    /**
     * Runs a handler's work.
     *
     * @param rolledBack what it fails with when a transaction was rolled back; a stage fails with it when it has ended
     */
    static <T extends @Nullable Object> T over(
            TransactionAccess transactions, Callable<T> work, Supplier<RuntimeException> rolledBack) throws Exception {
        TransactionWatch watch = new TransactionWatch(transactions);
        T result = watch.run(work);
        return watch.rolledBack ? failed(result, rolledBack.get()) : result;
    }

    @SuppressWarnings("unchecked") // a stage's own kind makes the stage that follows it
    private static <T extends @Nullable Object> T failed(T result, RuntimeException rolledBack) {
        if (result instanceof CompletionStage<?> stage) { // the work may go on, and its claim with it
            return (T) stage.handle((value, failure) -> {
                throw failure instanceof CompletionException as
                        ? as
                        : new CompletionException(failure == null ? rolledBack : failure);
            });
        }
        throw rolledBack;
    }

    private <T extends @Nullable Object> T run(Callable<T> work) throws Exception {
        TransactionWatch outer = CURRENT.get();
        CURRENT.set(this);
        try {
            return work.call();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /** A call, seen from outside of the container's interceptor, which may begin a transaction. */
    @Nullable
    Object outside(InvocationContext call) throws Exception {
        return calling(call, transactions.key());
    }

    /** The same call, inside of its transaction. */
    @Nullable
    Object inside(InvocationContext call) throws Exception {
        Object key = transactions.key();
        if (key == null || key.equals(around)) {
            return call.proceed(); // none, or the caller's
        }
        Method method = new Method();
        transactions.onEnd(method::ended);
        Object result = calling(call, key);
        method.returned();
        return result;
    }

    private @Nullable Object calling(InvocationContext call, @Nullable Object within) throws Exception {
        Object before = around;
        around = within;
        try {
            return call.proceed();
        } finally {
            around = before;
        }
    }

    /** A method whose transaction the container began: either may end first where a timeout ends the transaction. */
    private final class Method {
        private boolean hasReturned;
        private boolean isUndone;

        synchronized void returned() {
            hasReturned = true;
            rolledBack |= isUndone;
        }

        /** On another outcome than a commit: also on an unknown one, since an event must not be lost for it. */
        synchronized void ended(boolean committed) {
            isUndone = !committed && !AmbientTransaction.isEndedByItsUser();
            rolledBack |= isUndone && hasReturned;
        }
    }
}
