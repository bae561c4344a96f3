package dev.exactlyonce.sender.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
        return proxy(
                DataSource.class,
                (proxy, method, arguments) ->
                        isOfThisThread() && method.getName().equals("getConnection")
                                ? handle()
                                : invoke(source, method, arguments));
    }

    private Connection handle() {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (THE_CONTAINERS_OWN.contains(method.getName())) {
                throw new SQLException("not allowed in a global transaction");
            }
            return method.getName().equals("close") ? null : invoke(connection, method, arguments);
        });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
