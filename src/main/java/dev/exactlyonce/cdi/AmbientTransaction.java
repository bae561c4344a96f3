package dev.exactlyonce.cdi;

import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** Tells whether a JTA transaction is active on this thread; without JTA on the server, none ever is. Thread-safe. */
final class AmbientTransaction {
    private volatile @Nullable Probe found;

    boolean isActive() {
        Probe probe = found;
        if (probe == null) {
            probe = find();
            found = probe;
        }
        return probe != null && probe.isActive();
    }

    /** Nothing where there is no name space to look in: the next thread may have one. */
    private static @Nullable Probe find() {
        try {
            return Jta.lookUp();
        } catch (NameNotFoundException | LinkageError noJta) {
            return () -> false;
        } catch (NamingException noNamesHere) {
            return null;
        }
    }

    private interface Probe {
        boolean isActive();
    }

    /** Apart, so that a server without the API can load the class around it. */
    private static final class Jta {
        @SuppressWarnings("BanJNDI") // a constant name
        static Probe lookUp() throws NamingException {
            var registry = (TransactionSynchronizationRegistry)
                    new InitialContext().lookup("java:comp/TransactionSynchronizationRegistry");
            return () -> registry.getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
        }
    }
}
