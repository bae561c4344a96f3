package dev.exactlyonce.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** A connection inside a transaction, its statements and its clock. Not thread-safe. */
public final class Session implements AutoCloseable {
    /** Makes statements of a connection. */
    @FunctionalInterface
    public interface Preparing {
        PreparedStatement prepare(String sql) throws SQLException;
    }

    private final Preparing connection;
    private final Dialect dialect;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    public Session(Preparing connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /** The same statement each time, with its parameters to be given anew. */
    public PreparedQuery prepare(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepare(sql);
            statements.put(sql, statement);
        }
        return new PreparedQuery(statement);
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Milliseconds since 1970. */
    public long now() throws SQLException {
        return dialect.clock().now(this);
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
    }
}
