package dev.exactlyonce.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.SettableClock;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GroupCommitTest {
    private static final Duration PATIENT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void anErrorFailsItsCommitAndTheWriterLivesOn() {
        AtomicInteger openings = new AtomicInteger();
        SqliteStore.Opener opener = () -> {
            openings.incrementAndGet();
            return new SqliteTable(new SqliteSettings(folder.resolve("keys.db"), PATIENT), new SettableClock());
        };
        try (GroupCommit writer = new GroupCommit(opener, PATIENT)) {
            assertThatThrownBy(() -> writer.call(table -> {
                        throw new OutOfMemoryError("made up");
                    }))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasRootCauseInstanceOf(OutOfMemoryError.class);

            assertThat(writer.call(SqliteTable::synchronous)).isEqualTo(2);
            assertThat(openings).hasValue(2);
        }
    }
}
