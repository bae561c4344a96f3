package dev.exactlyonce.cdi;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.util.function.Consumer;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** The JTA transaction of this thread, if there is one; without JTA on the server, there never is. Thread-safe. */
final class AmbientTransaction implements TransactionWatch.TransactionAccess {
    private volatile @Nullable Probe found;

    boolean isActive() {
        Probe probe = probe();
        return probe != null && probe.isActive();
    }

    /** Which it is; null without one. */
    @Override
    public @Nullable Object key() {
        Probe probe = probe();
        return probe == null ? null : probe.key();
    }

    /** Begins one on this thread. */
    void begin() throws Exception {
        required().begin();
    }

    /** Ends the one that {@link #begin} began: commits it unless it is to be rolled back. */
    void end(boolean commits) throws Exception {
        required().end(commits);
    }

    /** From now on the active one can only be rolled back. */
    void setRollbackOnly() {
        required().setRollbackOnly();
    }

    boolean isRollbackOnly() {
        return required().isRollbackOnly();
    }

    private Probe required() {
        Probe probe = probe();
        if (probe == null || probe == Probe.NEVER) {
            throw new IllegalStateException("the server has no JTA; add the feature transaction or enterpriseBeans");
        }
        return probe;
    }

    /** In the callback of {@link #onEnd}: whether the application ends the transaction itself, which it then began itself. */
    static boolean isEndedByItsUser() {
        return Jta.isCalledThroughUserTransaction();
    }

    /** Reports whether it committed once that is known; at once where there is none. */
    @Override
    public void onEnd(Consumer<Boolean> then) {
        Probe probe = probe();
        if (probe != null && probe.isActive()) {
            probe.onEnd(then);
        } else {
            then.accept(true);
        }
    }

    private @Nullable Probe probe() {
        Probe probe = found;
        if (probe == null) {
            probe = find();
            found = probe;
        }
        return probe;
    }

    /** Nothing where there is no name space to look in: the next thread may have one. */
    private static @Nullable Probe find() {
        try {
            return Jta.lookUp();
        } catch (NameNotFoundException | LinkageError noJta) {
            return Probe.NEVER;
        } catch (NamingException noNamesHere) {
            return null;
        }
    }

    private interface Probe {
        Probe NEVER = new Probe() {
            @Override
            public boolean isActive() {
                return false;
            }

            @Override
            public @Nullable Object key() {
                return null;
            }

            @Override
            public void onEnd(Consumer<Boolean> then) {
                then.accept(true);
            }
        };

        boolean isActive();

        @Nullable
        Object key();

        void onEnd(Consumer<Boolean> then);

        default void begin() throws Exception {}

        default void end(boolean commits) throws Exception {}

        default void setRollbackOnly() {}

        default boolean isRollbackOnly() {
            return false;
        }
    }

    /** Apart, so that a server without the API can load the class around it. */
    private record Jta(TransactionSynchronizationRegistry registry) implements Probe {
        @SuppressWarnings("BanJNDI") // a constant name
        static Probe lookUp() throws NamingException {
            return new Jta((TransactionSynchronizationRegistry)
                    new InitialContext().lookup("java:comp/TransactionSynchronizationRegistry"));
        }

        @Override
        public boolean isActive() {
            return switch (registry.getTransactionStatus()) {
                case Status.STATUS_NO_TRANSACTION, Status.STATUS_COMMITTED, Status.STATUS_ROLLEDBACK -> false;
                default -> true;
            };
        }

        @Override
        public @Nullable Object key() {
            return registry.getTransactionKey();
        }

        @SuppressWarnings("BanJNDI") // a constant name
        private static UserTransaction user() throws NamingException {
            return (UserTransaction) new InitialContext().lookup("java:comp/UserTransaction");
        }

        @Override
        public void begin() throws Exception {
            user().begin();
        }

        @Override
        public void end(boolean commits) throws Exception {
            if (commits && !isRollbackOnly()) {
                user().commit();
            } else if (isActive()) {
                user().rollback();
            }
        }

        @Override
        public void setRollbackOnly() {
            registry.setRollbackOnly();
        }

        @Override
        public boolean isRollbackOnly() {
            return switch (registry.getTransactionStatus()) {
                case Status.STATUS_MARKED_ROLLBACK, Status.STATUS_ROLLING_BACK, Status.STATUS_ROLLEDBACK -> true;
                default -> false;
            };
        }

        static boolean isCalledThroughUserTransaction() {
            return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                    .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                            .anyMatch(UserTransaction.class::isAssignableFrom));
        }

        @Override
        public void onEnd(Consumer<Boolean> then) {
            registry.registerInterposedSynchronization(new Synchronization() {
                @Override
                public void beforeCompletion() {}

                @Override
                public void afterCompletion(int status) {
                    then.accept(status == Status.STATUS_COMMITTED);
                }
            });
        }
    }
}
