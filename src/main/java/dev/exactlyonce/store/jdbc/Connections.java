package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.sql.Dialect;
import dev.exactlyonce.sql.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** Lends sessions whose statements commit by themselves, and repeats what failed by no fault of its own. Thread-safe. */
final class Connections {
    /** How often an operation is tried that is the victim of a conflict, or that met a dead connection. */
    private static final int MOST_ATTEMPTS = 12;

    /** When the sender of a copy is to come back: a transaction is short, and how long it still takes is not known. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final int LONGEST_PAUSE_MILLIS = 20;

    /** Statements, each of which commits by itself. */
    @FunctionalInterface
    interface SessionWork<R> {
        R on(Session session) throws SQLException;
    }

    private final DataSource source;
    private final JdbcSchema schema;
    private final SchemaPolicy policy;
    private final int timeoutSeconds;
    private volatile boolean isReady;

    Connections(DataSource source, JdbcSchema schema, SchemaPolicy policy, Duration timeout) {
        this.source = source;
        this.schema = schema;
        this.policy = policy;
        this.timeoutSeconds = (int) Math.max(1, timeout.toSeconds());
    }

    <R> R run(SessionWork<R> work) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(work);
            } catch (SQLException failure) {
                boolean mayBeRepeated = SqlFailures.isConflict(failure) || SqlFailures.isLostConnection(failure);
                if (!mayBeRepeated
                        || attempt == MOST_ATTEMPTS
                        || Thread.currentThread().isInterrupted()) {
                    throw SqlFailures.unavailable(failure);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, LONGEST_PAUSE_MILLIS));
            }
        }
    }

    boolean isReady() {
        return isReady;
    }

    /**
     * In the calling thread's transaction, once: what fails in it ends it.
     *
     * @return as in flight when another transaction held the row for too long, or won a conflict about it
     */
    Reservation joined(SessionWork<Reservation> work) {
        try (Connection connection = source.getConnection()) {
            if (connection.getAutoCommit()) {
                throw new StoreUnavailableException("the DataSource takes no part in the transaction");
            }
            try (Session session = session(connection)) {
                return work.on(session);
            }
        } catch (SQLException failure) {
            if (SqlFailures.isLockTimeout(failure) || SqlFailures.isConflict(failure)) {
                return new Reservation.AlreadyClaimed(Fingerprint.NONE, RETRY_AFTER);
            }
            throw SqlFailures.unavailable(failure);
        }
    }

    private <R> R attempt(SessionWork<R> work) throws SQLException {
        try (Connection connection = source.getConnection()) {
            requireCaller();
            boolean wasAuto = connection.getAutoCommit();
            if (!wasAuto) {
                connection.setAutoCommit(true);
            }
            try {
                prepareTable(connection);
                try (Session session = session(connection)) {
                    return work.on(session);
                }
            } finally {
                if (!wasAuto) {
                    connection.setAutoCommit(false);
                }
            }
        }
    }

    /** The caller may have given up while this waited for a connection: then nothing is changed any more. */
    private static void requireCaller() {
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreUnavailableException("the caller has given up");
        }
    }

    private Session session(Connection connection) {
        return new Session(
                sql -> {
                    PreparedStatement statement = connection.prepareStatement(sql);
                    statement.setQueryTimeout(timeoutSeconds);
                    return statement;
                },
                Dialect.postgres());
    }

    private void prepareTable(Connection connection) throws SQLException {
        if (isReady) {
            return;
        }
        if (policy == SchemaPolicy.CREATE) {
            connection.setAutoCommit(false);
            try (Session session = session(connection)) {
                schema.create(session);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
        if (policy != SchemaPolicy.NONE) {
            try (Session session = session(connection)) {
                Optional<String> difference = schema.difference(session);
                if (difference.isPresent()) {
                    throw new StoreUnavailableException(difference.get());
                }
            }
        }
        isReady = true;
    }
}
