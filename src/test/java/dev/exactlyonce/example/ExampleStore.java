package dev.exactlyonce.example;

import dev.exactlyonce.spi.TransactionalStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import org.h2.jdbcx.JdbcConnectionPool;

/** Keeps the keys in one table of H2. Thread-safe, behind one lock. */
final class ExampleStore extends TransactionalStore {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS keys (k VARCHAR PRIMARY KEY, v CLOB, e BIGINT)";

    private final JdbcConnectionPool database;

    ExampleStore(String url, InstantSource clock) {
        super(clock);
        this.database = JdbcConnectionPool.create(url, "", "");
    }

    @Override
    protected synchronized <T> T inTransaction(Transaction<T> transaction) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(TABLE);
            connection.setAutoCommit(false);
            T result = transaction.run(new ExampleRows(connection));
            connection.commit();
            return result;
        }
    }

    private record ExampleRows(Connection connection) implements Rows {
        @Override
        public Optional<Row> find(String key) throws SQLException {
            try (PreparedStatement select = prepare("SELECT v, e FROM keys WHERE k = ?", key)) {
                ResultSet row = select.executeQuery();
                return row.next() ? Optional.of(new Row(row.getString(1), row.getLong(2))) : Optional.empty();
            }
        }

        @Override
        public void put(String key, Row row) throws SQLException {
            try (PreparedStatement merge = prepare("MERGE INTO keys VALUES (?, ?, ?)", key)) {
                merge.setString(2, row.value());
                merge.setLong(3, row.expiresAt());
                merge.executeUpdate();
            }
        }

        @Override
        public void delete(String key) throws SQLException {
            try (PreparedStatement delete = prepare("DELETE FROM keys WHERE k = ?", key)) {
                delete.executeUpdate();
            }
        }

        private PreparedStatement prepare(String sql, String key) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(sql);
            statement.setString(1, key);
            return statement;
        }
    }

    @Override
    public void close() {
        database.dispose();
    }
}
