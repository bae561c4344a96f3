package dev.exactlyonce.sender.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.spi.EventQueue.Enqueued;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.testkit.SettableClock;
import dev.exactlyonce.testkit.Together;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class SqliteOutboxTest extends OutboxContract {
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private final SettableClock clock = new SettableClock();

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("outbox.db");
    }

    @Override
    Outbox open() {
        return SqlOutbox.sqlite(new SqliteSettings(file(), PATIENT), clock);
    }

    @Override
    Instant now() {
        return clock.instant();
    }

    @Override
    void letPass(Duration time) {
        clock.advance(time);
    }

    @Override
    Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
        }
        return connection;
    }

    /** Frames of the log that end a transaction: https://www.sqlite.org/fileformat2.html, section 4.1. */
    private int commitsInTheLog() throws IOException {
        ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("outbox.db-wal")));
        int frame = 24 + log.getInt(8);
        int commits = 0;
        for (int at = 32; at + frame <= log.limit(); at += frame) {
            commits += log.getInt(at + 4) == 0 ? 0 : 1;
        }
        return commits;
    }

    @Test
    void manyThatEnqueueAtOnceShareCommitsAndNoneIsLost() throws Exception {
        Together.run(16, thread -> {
            for (int i = 0; i < 200; i++) {
                assertThat(outbox.enqueue(event("crm", thread + "-" + i), Optional.of(LEASE)))
                        .isInstanceOf(Enqueued.Claimed.class);
            }
            return true;
        });
        assertThat(commitsInTheLog()).isBetween(1, 16 * 200 - 1);
        outbox.close();
        outbox = open();
        clock.advance(LEASE);

        assertThat(outbox.claim("crm", 5000, LEASE))
                .hasSize(16 * 200)
                .allSatisfy(it -> assertThat(it.attempt()).isEqualTo(2));
    }

    static List<String> statementsOfEveryTick() {
        return List.of(EventRows.DUE_ENDPOINTS, ClaimedRows.SELECT_DUE, EventRows.SELECT_ENDED, EventRows.COUNT_OPEN);
    }

    @ParameterizedTest
    @MethodSource("statementsOfEveryTick")
    void noTickReadsRowsThatAreNotItsOwn(String sql) throws Exception {
        putWaiting("k");

        assertThat(plan(sql))
                .filteredOn(it -> it.contains("exactly_once_outbox"))
                .isNotEmpty()
                .allMatch(it -> it.contains("INDEX exactly_once_outbox_d"));
    }

    @Test
    void aPageOfDeadLettersIsFoundByItsIndex() throws Exception {
        putWaiting("k");

        assertThat(plan(DeadRows.SELECT_PAGE + " ORDER BY id LIMIT 10"))
                .containsExactly("SEARCH exactly_once_outbox USING INDEX exactly_once_outbox_dead (state=? AND id>?)");
    }

    private List<String> plan(String sql) throws SQLException {
        List<String> steps = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (row.next()) {
                steps.add(row.getString("detail"));
            }
        }
        return steps;
    }

    @Test
    void aClosedOutboxIsUnavailable() {
        putWaiting("k");
        outbox.close();

        assertThatThrownBy(() -> outbox.due()).isInstanceOf(OutboxUnavailableException.class);
    }

    @Test
    void anOutboxThatWasNeverUsedMakesNoFile() {
        outbox.close();

        assertThat(file()).doesNotExist();
    }
}
