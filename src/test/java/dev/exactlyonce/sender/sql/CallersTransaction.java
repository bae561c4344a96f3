package dev.exactlyonce.sender.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Hands the thread that made it one connection of an open transaction, as a container does: who gets it can neither end the
 * transaction nor close the connection. Other threads get connections of their own.
 */
final class CallersTransaction implements AutoCloseable {
    private static final Set<String> THE_CONTAINERS_OWN = Set.of("commit", "rollback", "setAutoCommit");

    private final Thread caller = Thread.currentThread();
    private final DataSource source;
    private final Connection connection;

    CallersTransaction(DataSource source) throws SQLException {
        this.source = source;
        this.connection = source.getConnection();
        connection.setAutoCommit(false);
    }

    boolean isOfThisThread() {
        return Thread.currentThread() == caller;
    }

    DataSource enlisting() {
        return Pool.proxy(
                DataSource.class,
                (proxy, method, arguments) ->
                        isOfThisThread() && method.getName().equals("getConnection")
                                ? handle()
                                : Pool.call(source, method, arguments));
    }

    private Connection handle() {
        return Pool.proxy(Connection.class, (proxy, method, arguments) -> {
            if (THE_CONTAINERS_OWN.contains(method.getName())) {
                throw new SQLException("not allowed in a global transaction");
            }
            return method.getName().equals("close") ? null : Pool.call(connection, method, arguments);
        });
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
    }
}
