package dev.exactlyonce.bench;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One reserve of a fresh key in a file that holds few records, then one in a file that holds many, in turn: a disk that
 * changes its speed changes it for both.
 */
@State(Scope.Benchmark)
public class SqliteReserve {
    static final int FEW = 1_000;
    static final int MANY = 1_000_000;

    private Path folder;
    private SqliteStore few;
    private SqliteStore many;

    /** The time that went to each, in nanoseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Nanos {
        public long few;
        public long many;
    }

    @Setup(Level.Trial)
    public void open() throws IOException, SQLException {
        folder = BenchFolder.create();
        few = filled(folder.resolve("few.db"), FEW);
        many = filled(folder.resolve("many.db"), MANY);
    }

    /** With rows as the store makes them, in one transaction, flushed to the disk before anything is measured. */
    private static SqliteStore filled(Path file, int keys) throws IOException, SQLException {
        SqliteSettings settings = new SqliteSettings(file, Duration.ofSeconds(30));
        try (SqliteStore makesTheTable = new SqliteStore(settings, InstantSource.system())) {
            makesTheTable.probe();
        }
        try (Connection connection = BenchFolder.connect(file)) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO exactly_once (digest, key, value, expires_at_ms) VALUES (randomblob(16), ?, ?, ?)")) {
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
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        return new SqliteStore(settings, InstantSource.system());
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        few.close();
        many.close();
        BenchFolder.delete(folder);
    }

    @Benchmark
    public void pair(Nanos nanos, Blackhole blackhole) {
        long start = System.nanoTime();
        blackhole.consume(few.reserve(fresh()));
        long between = System.nanoTime();
        blackhole.consume(many.reserve(fresh()));
        nanos.few += between - start;
        nanos.many += System.nanoTime() - between;
    }

    private static Claim fresh() {
        DeliveryKey key = DeliveryKey.of(
                "demo", "POST/hooks/{source}", List.of(UUID.randomUUID().toString()));
        return Claim.fresh(key, Fingerprint.NONE, Duration.ofMinutes(15));
    }
}
