package dev.exactlyonce.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Files of a benchmark, on the disk that the build is on: a memory file system flushes nothing. */
final class BenchFolder {
    private BenchFolder() {}

    static Path create() throws IOException {
        Path parent = Path.of("target", "bench").toAbsolutePath();
        Files.createDirectories(parent);
        return Files.createTempDirectory(parent, "sqlite");
    }

    static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    /** A plain connection: WAL and {@code synchronous=FULL}. */
    static Connection connect(Path file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source.getConnection();
    }
}
