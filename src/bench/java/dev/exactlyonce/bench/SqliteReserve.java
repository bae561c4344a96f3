package dev.exactlyonce.bench;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.DeliveryKey;
import dev.exactlyonce.admission.Fingerprint;
import dev.exactlyonce.store.sqlite.SqliteSettings;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One reserve of a fresh key in a file that holds many records. */
@State(Scope.Benchmark)
public class SqliteReserve {
    @Param({"1000", "1000000"})
    private int keys;

    private Path folder;
    private SqliteStore store;

    @Setup(Level.Trial)
    public void open() throws IOException, SQLException {
        folder = BenchFolder.create();
        Path file = folder.resolve("store.db");
        fill(file);
        store = new SqliteStore(new SqliteSettings(file, Duration.ofSeconds(30)), InstantSource.system());
    }

    private void fill(Path file) throws SQLException {
        try (Connection connection = BenchFolder.connect(file)) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO exactly_once (key, value, expires_at_ms) VALUES (?, ?, ?)")) {
                long until = System.currentTimeMillis() + Duration.ofHours(24).toMillis();
                for (int i = 0; i < keys; i++) {
                    insert.setString(1, "demo:POST/hooks/%7Bsource%7D:" + UUID.randomUUID());
                    insert.setString(
                            2, "1|recorded|" + UUID.randomUUID().toString().replace("-", "") + "|-|200");
                    insert.setLong(3, until + i);
                    insert.executeUpdate();
                }
            }
            connection.commit();
        }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        store.close();
        BenchFolder.delete(folder);
    }

    @Benchmark
    public Object reserve() {
        DeliveryKey key = DeliveryKey.of(
                "demo", "POST/hooks/{source}", List.of(UUID.randomUUID().toString()));
        return store.reserve(Claim.fresh(key, Fingerprint.NONE, Duration.ofMinutes(15)));
    }
}
