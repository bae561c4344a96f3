package dev.exactlyonce.cdi;

import java.util.function.BooleanSupplier;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Tells whether a JTA transaction is active on this thread; without JTA on the server, none ever is. */
final class AmbientTransaction {
    private final BooleanSupplier active;

    AmbientTransaction() {
        this.active = find();
    }

    boolean isActive() {
        return active.getAsBoolean();
    }

    private static BooleanSupplier find() {
        try {
            return Jta.lookUp();
        } catch (NamingException | LinkageError noJtaHere) {
            return () -> false;
        }
    }

    /** Apart, so that a server without the API can load the class around it. */
    private static final class Jta {
        @SuppressWarnings("BanJNDI") // a constant name
        static BooleanSupplier lookUp() throws NamingException {
            var registry = (jakarta.transaction.TransactionSynchronizationRegistry)
                    new InitialContext().lookup("java:comp/TransactionSynchronizationRegistry");
            return () -> registry.getTransactionStatus() != jakarta.transaction.Status.STATUS_NO_TRANSACTION;
        }
    }
}
