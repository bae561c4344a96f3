package dev.exactlyonce.sender.sql;

import dev.exactlyonce.sender.OutboxUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** Over a pool of connections that the container may enlist in the caller's transaction. */
final class PostgresTransactionRunner implements TransactionRunner {
    /** Any number that no other software takes; replicas that start together make the tables one after the other. */
    private static final long MAKING_TABLES = 0x6578_6163_746c_79L;

    private final DataSource source;
    private final BooleanSupplier isInTransaction;
    private final Dialect dialect = Dialect.postgres();
    private volatile boolean hasTables;

    PostgresTransactionRunner(DataSource source, BooleanSupplier isInTransaction) {
        this.source = source;
        this.isInTransaction = isInTransaction;
    }

    @Override
    public <R> R own(TransactionalWork<R> work) {
        return isInTransaction.getAsBoolean() ? SuspendedTransaction.call(() -> apart(work)) : apart(work);
    }

    private <R> R apart(TransactionalWork<R> work) {
        if (!hasTables) {
            committed(PostgresTransactionRunner::makeTables);
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
            throw unavailable(e);
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
            throw unavailable(e);
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

    /** Unless they are there: then the role need not be allowed to make them. */
    private static boolean makeTables(Session session) throws SQLException {
        try (ResultSet row = session.prepare("""
                SELECT to_regclass('exactly_once_outbox') IS NOT NULL
                  AND to_regclass('exactly_once_endpoint') IS NOT NULL""").query()) {
            row.next();
            if (row.getBoolean(1)) {
                return false;
            }
        }
        session.prepare("SELECT pg_advisory_xact_lock(?)")
                .number(MAKING_TABLES)
                .query()
                .close();
        for (String sql : session.dialect().schema()) {
            session.prepare(sql).update();
        }
        return true;
    }

    /** Without the cause, whose text may contain an address or a row; with the SQL state. */
    private static OutboxUnavailableException unavailable(SQLException e) {
        return new OutboxUnavailableException("the outbox's database failed, SQLState " + e.getSQLState());
    }

    /** The pool is its maker's. */
    @Override
    public void close() {}
}
