package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.admission.TransactionalClaims;
import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.sql.Session;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Keeps the keys in a table of the application's database, which its replicas share. Every operation runs outside of any
 * transaction of its caller and by the database's clock. Opens nothing yet: the first operation does. Thread-safe.
 */
public final class JdbcStore implements IdempotencyStore, TransactionalClaims {
    private static final System.Logger LOG = System.getLogger(JdbcStore.class.getName());
    private static final Duration PURGE_EVERY = Duration.ofSeconds(10);
    private static final int PURGED_AT_ONCE = 1_000;

    private final KeyTable table;
    private final Duration wait;
    private volatile boolean isTransactional;
    private final Connections connections;
    private final BoundedCalls calls;
    private final ScheduledExecutorService purger =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("exactly-once-jdbc-purge"));

    JdbcStore(DataSource source, String table, SchemaPolicy policy, Duration wait, Duration timeout) {
        this.wait = wait;
        this.table = new KeyTable(table);
        this.connections = new Connections(source, new JdbcSchema(table), policy, timeout);
        this.calls = new BoundedCalls(timeout);
        var unused = purger.scheduleWithFixedDelay(
                this::purge, PURGE_EVERY.toMillis(), PURGE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private <R> R call(Connections.SessionWork<R> work) {
        try {
            return calls.call(() -> connections.run(work));
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new StoreUnavailableException(
                    "the database failed: " + failure.getClass().getName());
        }
    }

    /** On the calling thread, whose transaction the connection takes part in. */
    @Override
    public Reservation claim(Claim claim, RecordedAnswer answer, Duration ttl) {
        if (!connections.isReady()) {
            call(session -> true);
        }
        return connections.joined(session -> {
            String before = table.limitWait(session, wait);
            requireTransaction(session);
            Reservation reservation = table.insert(session, claim, answer, ttl);
            table.resetWait(session, before);
            return reservation;
        });
    }

    /**
     * What is set for a transaction is gone after a statement that commits by itself. Asked until a connection has once taken
     * part, since that is the DataSource's nature; a container's connection may not yet know it at its first statement.
     */
    private void requireTransaction(Session session) throws SQLException {
        if (!isTransactional) {
            if (table.waitMillis(session) != wait.toMillis()) {
                LOG.log(
                        Level.ERROR,
                        "EXON0800 the DataSource of exactlyonce.jdbc.data-source takes no part in transactions, so that deliveries"
                                + " in the mode transactional are refused; make it transactional");
                throw new StoreUnavailableException("the DataSource takes no part in the transaction");
            }
            isTransactional = true;
        }
    }

    @Override
    public void change(Claim claim, RecordedAnswer answer) {
        connections.joined(session -> {
            table.change(session, claim, answer);
            return new Reservation.Granted(0);
        });
    }

    @Override
    public Reservation reserve(Claim claim) {
        return call(session -> table.reserve(session, claim));
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return call(session -> table.find(session, key));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return call(session -> table.record(session, claim, answer, ttl));
    }

    @Override
    public boolean release(Claim claim) {
        return call(session -> table.release(session, claim));
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return call(session -> {
            List<Renewal> answers = new ArrayList<>(claims.size());
            for (Claim claim : claims) {
                answers.add(table.renew(session, claim));
            }
            return answers;
        });
    }

    @Override
    public void probe() {
        call(session -> {
            table.touch(session);
            return true;
        });
    }

    /** In small batches, until nothing is left that has ended; the other replicas' purges skip these rows. */
    private void purge() {
        try {
            int purged;
            do {
                purged = call(session -> table.purge(session, PURGED_AT_ONCE));
            } while (purged == PURGED_AT_ONCE);
        } catch (RuntimeException unavailable) { // the operations report it
            SafeLog.log(LOG, Level.DEBUG, "rows that have ended could not be purged", unavailable);
        }
    }

    @Override
    public void close() {
        purger.shutdownNow();
        calls.close();
    }
}
