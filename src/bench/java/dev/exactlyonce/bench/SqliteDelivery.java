package dev.exactlyonce.bench;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One fresh delivery: reserve and record, durable both times. */
public class SqliteDelivery {
    private static final Duration LEASE = Duration.ofMinutes(15);
    private static final Duration TTL = Duration.ofHours(24);

    private static String freshKey() {
        return UUID.randomUUID().toString();
    }

    /** The store: one writer, group commit, {@code synchronous=FULL}. */
    @State(Scope.Benchmark)
    public static class Store {
        private Path folder;
        private SqliteStore store;

        @Setup(Level.Trial)
        public void open() throws IOException {
            folder = BenchFolder.create();
            store = new SqliteStore(
                    new SqliteSettings(folder.resolve("store.db"), Duration.ofSeconds(30)), InstantSource.system());
        }

        @TearDown(Level.Trial)
        public void close() throws IOException {
            store.close();
            BenchFolder.delete(folder);
        }
    }

    @Benchmark
    public Object store(Store state) {
        DeliveryKey key = DeliveryKey.of("demo", "POST/hooks/{source}", List.of(freshKey()));
        Claim claim = Claim.fresh(key, Fingerprint.NONE, LEASE);
        state.store.reserve(claim);
        return state.store.record(claim, RecordedAnswer.of(200), TTL);
    }

    /** The raw client: one autocommitting connection at {@code synchronous=FULL}, behind one lock. */
    @State(Scope.Benchmark)
    public static class Raw {
        private Path folder;
        private Connection connection;
        private PreparedStatement insert;
        private PreparedStatement update;

        @Setup(Level.Trial)
        public void open() throws IOException, SQLException {
            folder = BenchFolder.create();
            connection = BenchFolder.connect(folder.resolve("raw.db"));
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "CREATE TABLE deliveries (key TEXT PRIMARY KEY, value TEXT, expires_at_ms INTEGER)");
            }
            insert = connection.prepareStatement(
                    "INSERT INTO deliveries (key, value, expires_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
            update = connection.prepareStatement("UPDATE deliveries SET value = ?, expires_at_ms = ? WHERE key = ?");
        }

        @TearDown(Level.Trial)
        public void close() throws IOException, SQLException {
            connection.close();
            BenchFolder.delete(folder);
        }

        synchronized int insert(String key, String value, long expiresAt) throws SQLException {
            insert.setString(1, key);
            insert.setString(2, value);
            insert.setLong(3, expiresAt);
            return insert.executeUpdate();
        }

        synchronized int update(String key, String value, long expiresAt) throws SQLException {
            update.setString(1, value);
            update.setLong(2, expiresAt);
            update.setString(3, key);
            return update.executeUpdate();
        }
    }

    @Benchmark
    public int raw(Raw state) throws SQLException {
        String key = "demo:POST/hooks/%7Bsource%7D:" + freshKey();
        String owner = freshKey().replace("-", "");
        long now = System.currentTimeMillis();
        state.insert(key, "1|in-flight|" + owner + "|-|", now + LEASE.toMillis());
        return state.update(key, "1|recorded|" + owner + "|-|200", now + TTL.toMillis());
    }
}
