package dev.exactlyonce.sql;

import java.sql.SQLException;

/** Runs work inside a transaction. Thread-safe. */
public interface TransactionRunner extends AutoCloseable {
    /** Statements that are applied together or not at all. */
    @FunctionalInterface
    interface TransactionalWork<R> {
        R on(Session session) throws SQLException;
    }

    /**
     * In a transaction of its own, which is committed when this returns.
     *
     * @throws RuntimeException of the kind that the runner's user has chosen, when the database failed
     */
    <R> R own(TransactionalWork<R> work);

    /** In the caller's transaction, if there is one and it can be joined; else as {@link #own}. */
    <R> R joined(TransactionalWork<R> work);

    @Override
    void close();
}
