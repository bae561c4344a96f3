package dev.exactlyonce.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import javax.sql.DataSource;

/** Over a pool of connections to PostgreSQL that the container may enlist in the caller's transaction. */
public final class DataSourceTransactionRunner implements TransactionRunner {
    private final DataSource source;
    private final BooleanSupplier isInTransaction;
    private final Dialect dialect = Dialect.postgres();
    private final SchemaScript schema;
    private final Function<SQLException, RuntimeException> unavailable;
    private volatile boolean hasTables;

    /**
     * @param isInTransaction whether the calling thread is inside a transaction that its connections take part in
     * @param schema is made by the first operation
     * @param unavailable what a failure of the database becomes
     */
    public DataSourceTransactionRunner(
            DataSource source,
            BooleanSupplier isInTransaction,
            SchemaScript schema,
            Function<SQLException, RuntimeException> unavailable) {
        this.source = source;
        this.isInTransaction = isInTransaction;
        this.schema = schema;
        this.unavailable = unavailable;
    }

    @Override
    public <R> R own(TransactionalWork<R> work) {
        return isInTransaction.getAsBoolean() ? SuspendedTransaction.call(() -> apart(work)) : apart(work);
    }

    private <R> R apart(TransactionalWork<R> work) {
        if (!hasTables) {
            committed(session -> {
                schema.createInPostgres(session);
                return true;
            });
            hasTables = true;
        }
        return committed(work);
    }

    @Override
    public <R> R joined(TransactionalWork<R> work) {
        if (!isInTransaction.getAsBoolean()) {
            return apart(work);
        }
        if (!hasTables) {
            own(session -> true);
        }
        try (Connection connection = source.getConnection();
                Session session = new Session(connection::prepareStatement, dialect)) {
            return work.on(session);
        } catch (SQLException e) {
            throw unavailable.apply(e);
        }
    }

    private <R> R committed(TransactionalWork<R> work) {
        try (Connection connection = source.getConnection()) {
            boolean wasAuto = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                return committed(connection, work);
            } finally {
                connection.setAutoCommit(wasAuto);
            }
        } catch (SQLException e) {
            throw unavailable.apply(e);
        }
    }

    private <R> R committed(Connection connection, TransactionalWork<R> work) throws SQLException {
        try (Session session = new Session(connection::prepareStatement, dialect)) {
            R result = work.on(session);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.rollback();
            } catch (SQLException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    /** The pool is its maker's. */
    @Override
    public void close() {}
}
