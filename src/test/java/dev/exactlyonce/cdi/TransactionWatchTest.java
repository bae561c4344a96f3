package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.RolledBackException;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The rules alone, with transactions that a test begins and ends; DeliveriesIT has those of a server. */
class TransactionWatchTest {
    /** Suspends and resumes as a container does; a rollback-only one ends without an exception. */
    private static final class Container implements TransactionWatch.TransactionAccess {
        private final Deque<Transaction> active = new ArrayDeque<>();

        private static final class Transaction {
            final List<Consumer<Boolean>> ends = new ArrayList<>();
            boolean rollbackOnly;
        }

        @Override
        public Object key() {
            return active.peek();
        }

        @Override
        public void onEnd(Consumer<Boolean> then) {
            Objects.requireNonNull(active.peek()).ends.add(then);
        }

        void rollBackOnly() {
            Objects.requireNonNull(active.peek()).rollbackOnly = true;
        }

        void begin() {
            active.push(new Transaction());
        }

        void end(boolean commits) {
            active.pop().ends.forEach(it -> it.accept(commits));
        }

        /** A session bean's method, which has no interceptor of ours outside of its transaction. */
        <T> T sessionBean(Callable<T> method) throws Exception {
            if (!active.isEmpty()) {
                return inside(method);
            }
            return inNew(() -> inside(method));
        }

        <T> T required(Callable<T> method) throws Exception {
            return active.isEmpty() ? requiresNew(method) : outside(() -> inside(method));
        }

        <T> T requiresNew(Callable<T> method) throws Exception {
            return outside(() -> inNew(() -> inside(method)));
        }

        private <T> T inNew(Callable<T> method) throws Exception {
            begin();
            Transaction mine = active.peek();
            try {
                return method.call();
            } catch (RuntimeException failure) {
                rollBackOnly();
                throw failure;
            } finally {
                end(!Objects.requireNonNull(mine).rollbackOnly);
            }
        }

        @SuppressWarnings("unchecked")
        private static <T> T outside(Callable<T> method) throws Exception {
            return (T) new OutsideTransaction().watch(call(method));
        }

        @SuppressWarnings("unchecked")
        private static <T> T inside(Callable<T> method) throws Exception {
            return (T) new InsideTransaction().watch(call(method));
        }

        private static InvocationContext call(Callable<?> method) {
            return (InvocationContext) Proxy.newProxyInstance(
                    InvocationContext.class.getClassLoader(),
                    new Class<?>[] {InvocationContext.class},
                    (proxy, called, args) -> method.call());
        }
    }

    /** The application's own way to end a transaction. */
    private static final class User implements UserTransaction {
        private final Container container;

        User(Container container) {
            this.container = container;
        }

        @Override
        public void begin() {
            container.begin();
        }

        @Override
        public void commit() {
            container.end(true);
        }

        @Override
        public void rollback() {
            container.end(false);
        }

        @Override
        public void setRollbackOnly() {
            container.rollBackOnly();
        }

        @Override
        public int getStatus() {
            return 0;
        }

        @Override
        public void setTransactionTimeout(int seconds) {}
    }

    private final Container container = new Container();
    private final User user = new User(container);

    private <T> T handle(Callable<T> work) throws Exception {
        return TransactionWatch.over(container, work, RolledBackException::new);
    }

    private void assertFails(Callable<?> work) {
        assertThatThrownBy(() -> handle(work)).isInstanceOf(RolledBackException.class);
        assertThat(TransactionWatch.current()).isNull();
    }

    private void assertSucceeds(Callable<String> work) throws Exception {
        assertThat(handle(work)).isEqualTo("returned");
        assertThat(TransactionWatch.current()).isNull();
    }

    private String rollBack() {
        container.rollBackOnly();
        return "returned";
    }

    private static String fail() {
        throw new IllegalStateException("undone");
    }

    @Test
    void aMethodThatReturnsWhileItsOwnTransactionIsRolledBackHasFailed() throws Exception {
        assertFails(() -> container.required(this::rollBack));
        assertFails(() -> container.sessionBean(this::rollBack));
        assertFails(() -> container.required(() -> container.requiresNew(this::rollBack)));
        assertFails(() -> container.sessionBean(() -> container.requiresNew(this::rollBack)));
        assertSucceeds(() -> container.required(() -> "returned"));
        assertSucceeds(() -> container.sessionBean(() -> container.sessionBean(() -> "returned")));
    }

    @Test
    void aMethodThatThrewIsItsCallersToJudge() throws Exception {
        assertSucceeds(() -> {
            assertThatThrownBy(() -> container.required(TransactionWatchTest::fail))
                    .isInstanceOf(IllegalStateException.class);
            return container.required(() -> "returned");
        });
        assertThatThrownBy(() -> handle(() -> container.required(TransactionWatchTest::fail)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTransactionThatAMethodWhichJoinedItMarkedIsStillOfTheOneThatBeganIt() {
        assertFails(() -> container.required(() -> container.required(this::rollBack)));
        assertFails(() -> container.required(() -> container.sessionBean(this::rollBack)));
    }

    @Test
    void aTransactionOfTheUserIsTheUsersToEndWhoeverJoinedIt() throws Exception {
        assertSucceeds(() -> {
            user.begin();
            container.required(() -> "joined");
            container.sessionBean(() -> "joined");
            user.rollback();
            return "returned";
        });
    }

    @Test
    void aTransactionThatATimeoutEndsBeforeItsMethodReturnsHasFailedWithTheReturn() {
        assertFails(() -> container.required(() -> {
            Container.Transaction mine = Objects.requireNonNull(container.active.peek());
            Thread reaper = new Thread(() -> mine.ends.forEach(it -> it.accept(false)));
            reaper.start();
            reaper.join();
            mine.ends.clear();
            return "returned";
        }));
    }

    @Test
    void aStageFailsWhenItHasEndedAndNotBefore() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> answer = handle(() -> container.required(() -> {
            container.rollBackOnly();
            return work;
        }));
        assertThat(answer).isNotDone();
        work.complete("done");

        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RolledBackException.class);
    }

    @Test
    void workInsideOfOtherWorkFailsAlone() throws Exception {
        AtomicReference<Throwable> inner = new AtomicReference<>();
        assertSucceeds(() -> {
            try {
                return handle(() -> container.required(this::rollBack));
            } catch (RolledBackException failure) {
                inner.set(failure);
                return container.required(() -> "returned");
            }
        });
        assertThat(inner).hasValueSatisfying(it -> assertThat(it).isInstanceOf(RolledBackException.class));
    }

    @Test
    void outsideOfADeliveryNothingIsWatched() throws Exception {
        assertThat(container.<String>required(this::rollBack)).isEqualTo("returned");
    }
}
