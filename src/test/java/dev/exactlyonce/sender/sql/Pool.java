package dev.exactlyonce.sender.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Keeps connections open, as a container does, and takes none back in which a transaction may be left. */
public final class Pool {
    private final DataSource source;
    private final Deque<Connection> free = new ConcurrentLinkedDeque<>();

    public Pool(DataSource source) {
        this.source = source;
    }

    public DataSource pooled() {
        return proxy(
                DataSource.class,
                (proxy, method, arguments) ->
                        method.getName().equals("getConnection") ? lend() : call(source, method, arguments));
    }

    private Connection lend() throws SQLException {
        Connection there = free.pollFirst();
        Connection connection = there == null ? source.getConnection() : there;
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("close")) {
                return call(connection, method, arguments);
            }
            takeBack(connection);
            return null;
        });
    }

    private void takeBack(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.close();
            throw new IllegalStateException("a connection was given back with a transaction");
        }
        free.addFirst(connection);
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static @Nullable Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
