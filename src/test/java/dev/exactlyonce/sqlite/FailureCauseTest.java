package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.exactlyonce.common.MachineClocks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureCauseTest {
    private static final Schema SCHEMA = new Schema(1, List.of("CREATE TABLE IF NOT EXISTS notes (text TEXT)"));

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("keys.db");
    }

    private String causeOfOpening() {
        Throwable failure = catchThrowable(
                () -> SqliteFile.open(new SqliteSettings(file(), Duration.ofMillis(50)), SCHEMA, MachineClocks.system())
                        .close());
        assertThat(failure).isNotNull();
        return FailureCause.of(failure);
    }

    @Test
    void aTextFileIsNoDatabase() throws Exception {
        Files.writeString(file(), "text\n".repeat(1_000));
        assertThat(causeOfOpening())
                .isEqualTo(
                        "it is not an SQLite database; move it away, or set exactlyonce.sqlite.path to another file");
    }

    @Test
    void aDatabaseWithADamagedPageIsDamaged() throws Exception {
        SqliteFile.open(new SqliteSettings(file(), Duration.ofSeconds(5)), SCHEMA, MachineClocks.system())
                .close();
        byte[] bytes = Files.readAllBytes(file());
        java.util.Arrays.fill(bytes, 100, 4_096, (byte) 0x5a);
        Files.write(file(), bytes);
        assertThat(causeOfOpening()).startsWith("it is damaged; ");
    }

    @Test
    void aFolderThatIsGoneCannotBeOpened() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        SqliteSettings settings = new SqliteSettings(inner.resolve("keys.db"), Duration.ofMillis(50));
        Files.delete(inner);
        assertThat(FailureCause.of(catchThrowable(() -> SqliteFile.open(settings, SCHEMA, MachineClocks.system()))))
                .startsWith("it cannot be opened; ");
    }

    @Test
    void aFileOfANewerVersionSaysSo() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 9");
        }
        assertThat(causeOfOpening()).startsWith("it was written by a newer version of this library; ");
    }

    @Test
    void aLockedFileNamesTheOtherProcess() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");
            assertThat(causeOfOpening()).startsWith("another process has locked it; ");
        }
    }

    @Test
    void aNativeLibraryThatCannotBeLoadedNamesTheFolder() {
        assertThat(FailureCause.of(new SQLException(
                        "Error opening connection",
                        new UnsatisfiedLinkError("/tmp/sqlite-x.so: failed to map segment"))))
                .contains("noexec", "org.sqlite.tmpdir")
                .doesNotContain("/tmp");
        assertThat(FailureCause.of(new NoClassDefFoundError("Could not initialize class org.sqlite.SQLiteJDBCLoader")))
                .contains("org.sqlite.tmpdir");
    }

    @Test
    void aFullDiskSaysSo() {
        assertThat(FailureCause.of(new SQLException("[SQLITE_FULL]", "", 13)))
                .isEqualTo("the disk is full; free space where the file is");
        assertThat(FailureCause.of(new IllegalStateException(new SQLException("x", "", 778))))
                .startsWith("the disk reported an input or output error; ");
    }
}
