package dev.exactlyonce.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteSettingsTest {
    @TempDir
    Path folder;

    private static SqliteSettings at(Path path) {
        return new SqliteSettings(path, SqliteSettings.DEFAULT_TIMEOUT);
    }

    @Test
    void aFileThatIsYetToBeMadeIsFine() {
        assertThat(at(folder.resolve("keys.db")).path()).isAbsolute().doesNotExist();
    }

    @Test
    void aRelativePathIsTakenFromTheWorkingDirectory() {
        assertThat(at(Path.of("keys.db")).path()).isEqualTo(Path.of("keys.db").toAbsolutePath());
    }

    @Test
    void aFolderInPlaceOfAFileIsRefused() {
        assertThatThrownBy(() -> at(folder)).hasMessage("names a folder, a file is needed");
        assertThatThrownBy(() -> at(Path.of("/"))).hasMessage("names a folder, a file is needed");
    }

    @Test
    void aMissingFolderIsRefused() {
        assertThatThrownBy(() -> at(folder.resolve("missing").resolve("keys.db")))
                .hasMessage("its folder does not exist");
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefused() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> at(file.resolve("keys.db"))).hasMessage("its folder does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.009S", "PT61S", "PT24H"})
    void aTimeoutThatNobodyCouldMeanIsRefused(Duration timeout) {
        assertThatThrownBy(() -> new SqliteSettings(folder.resolve("keys.db"), timeout))
                .hasMessageStartingWith("timeout must be PT0.01S to PT60S, was ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nfs",
                "nfs4",
                "NFS",
                "cifs",
                "smb3",
                "smbfs",
                "9p",
                "fuse.sshfs",
                "virtiofs",
                "ceph",
                "glusterfs",
                "fuse.glusterfs",
                "vboxsf",
                "lustre",
                "gpfs",
                "fuse.s3fs",
                "fakeowner",
                "ocfs2",
                "",
                "unknown"
            })
    void aFileSystemThatIsNotKnownToBeLocalIsRefused(String type) {
        assertThat(SqliteSettings.isLocal(type)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "tmpfs", "overlay", "zfs", "apfs", "NTFS", "fuseblk"})
    void aLocalFileSystemIsFine(String type) {
        assertThat(SqliteSettings.isLocal(type)).isTrue();
    }
}
