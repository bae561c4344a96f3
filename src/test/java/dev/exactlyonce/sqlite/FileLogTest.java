package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sqlite.FileLog.LogState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against SQLite itself, whose checkpoints it has to tell from what others do. */
class FileLogTest {
    @TempDir
    Path folder;

    private Connection connection;
    private FileLog log;

    @BeforeEach
    void open() throws SQLException {
        connection = SqliteDriver.connect(folder.resolve("keys.db"));
        execute("PRAGMA journal_mode = WAL");
        execute("CREATE TABLE notes (text TEXT)");
        log = new FileLog(path(), connection);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private Path path() {
        return folder.resolve("keys.db-wal");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private LogState read() throws SQLException {
        return log.read().orElseThrow();
    }

    @Test
    void aCommitMovesNothing() throws Exception {
        LogState before = read();
        execute("INSERT INTO notes VALUES ('one')");

        LogState after = read();
        assertThat(after.frames()).isGreaterThan(before.frames());
        assertThat(after.isMovedSince(before)).isFalse();
    }

    @Test
    void aCheckpointMovesAlsoWhenTheLogWasBegunAnewSince() throws Exception {
        LogState before = read();
        execute("PRAGMA wal_checkpoint(PASSIVE)");
        assertThat(read().isMovedSince(before)).isTrue();
        execute("INSERT INTO notes VALUES ('one')");
        assertThat(read().isMovedSince(before)).isTrue();
        execute("PRAGMA wal_checkpoint(TRUNCATE)");

        assertThat(read().isMovedSince(before)).isTrue();
    }

    @Test
    void aLogThatIsBegunAnewAloneMovesNothing() throws Exception {
        execute("PRAGMA wal_checkpoint(PASSIVE)");
        LogState moved = read();
        execute("INSERT INTO notes VALUES ('one')");
        LogState anew = read();
        assertThat(anew.isMovedSince(moved)).isFalse();
        execute("PRAGMA wal_checkpoint(TRUNCATE)");
        LogState empty = read();
        assertThat(empty.isMovedSince(anew)).isTrue();
        execute("INSERT INTO notes VALUES ('two')");

        assertThat(read().isMovedSince(empty)).isFalse();
    }

    @Test
    void aLogThatWasTruncatedIsNotWholeEvenWhenItHasGrownAgain() throws Exception {
        execute("INSERT INTO notes VALUES ('one')");
        assertThat(new ProcessBuilder("truncate", "-s", "0", path().toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(log.read()).isEmpty();
        execute("INSERT INTO notes VALUES ('two')");

        assertThat(Files.size(path())).isPositive();
        assertThat(log.read()).isEmpty();
    }
}
