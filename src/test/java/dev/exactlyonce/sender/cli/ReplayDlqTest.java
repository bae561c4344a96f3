package dev.exactlyonce.sender.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.sql.SqlOutbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command beside a running application: both have the file open. */
class ReplayDlqTest {
    /** How long the file may take is not the question here. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private Path file;
    private Outbox outbox;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void deadLettersOfTwoEndpoints() {
        file = folder.resolve("outbox.db");
        outbox = SqlOutbox.sqlite(new SqliteSettings(file, PATIENT), InstantSource.system());
        for (String endpoint : List.of("crm", "crm", "shop")) {
            outbox.enqueue(
                    new OutgoingEvent(
                            endpoint,
                            new EventKey(
                                    "key-" + outbox.list(DeadLetters.Filter.ALL).size()),
                            Map.of(),
                            new byte[0]),
                    Optional.empty());
            outbox.settle(outbox.claim(endpoint, 1, LEASE).stream()
                    .<AttemptResult>map(
                            it -> new AttemptResult.Exhausted(it, Optional.empty(), "500", Optional.empty()))
                    .toList());
        }
    }

    @AfterEach
    void close() {
        outbox.close();
    }

    private int run(String... args) {
        return ReplayDlq.run(
                List.of(args),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String id(int index) {
        return outbox.list(DeadLetters.Filter.ALL).get(index).id();
    }

    @Test
    void listsWhatIsThere() {
        assertThat(run(file.toString(), "list")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(3).allMatch(it -> it.contains(": 500 after"));
        out.reset();
        run(file.toString(), "list", "endpoint=shop");
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("shop key-2");
    }

    @Test
    void replaysTheEntriesOfOneEndpoint() {
        assertThat(run(file.toString(), "replay", "endpoint=crm")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("replayed 2, need force 0\n");
        assertThat(outbox.due()).containsExactly("crm");
        assertThat(outbox.list(DeadLetters.Filter.ALL))
                .extracting(DeadLetter::endpoint)
                .containsExactly("shop");
    }

    @Test
    void replaysOneEntryAndIsSafeToRepeat() {
        String id = id(2);

        assertThat(run(file.toString(), "replay", "id=" + id)).isZero();
        assertThat(run(file.toString(), "replay", "id=" + id)).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("replayed\nalready-replayed\n");
        assertThat(outbox.due()).containsExactly("shop");
    }

    @Test
    void anOldEntryIsReplayedByForceAlone() {
        assertThat(run(file.toString(), "replay", "window=PT0S")).isEqualTo(0); // never attempted, so never old
        outbox.enqueue(new OutgoingEvent("crm", new EventKey("old"), Map.of(), new byte[0]), Optional.of(LEASE));
        List<ClaimedEvent> due = outbox.claim("shop", 10, LEASE);
        outbox.settle(due.stream()
                .<AttemptResult>map(it -> new AttemptResult.Exhausted(
                        it,
                        Optional.of(new Attempt(1, it.roundBegan().minusSeconds(1), "500")),
                        "500",
                        Optional.empty()))
                .toList());
        out.reset();
        Instant older = due.get(0).roundBegan().plusMillis(20); // than the window, by any clock's resolution
        await().until(() -> Instant.now().isAfter(older));

        assertThat(run(file.toString(), "replay", "endpoint=shop", "window=PT0S"))
                .isEqualTo(1);
        assertThat(run(file.toString(), "replay", "endpoint=shop", "window=PT0S", "force"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("replayed 0, need force 1\nreplayed 1, need force 0\n");
    }

    @Test
    void discardsAnEntryOnce() {
        String id = id(0);

        assertThat(run(file.toString(), "discard", "id=" + id)).isZero();
        assertThat(run(file.toString(), "discard", "id=" + id)).isEqualTo(1);
        assertThat(outbox.list(DeadLetters.Filter.ALL)).hasSize(2);
    }

    @Test
    void anUnknownEntryIsReportedAndChangesNothing() {
        assertThat(run(file.toString(), "replay", "id=4711")).isEqualTo(1);
        assertThat(run(file.toString(), "replay", "id=x")).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("unknown\nunknown\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "list",
                "%s",
                "%s send",
                "%s list everything",
                "%s discard",
                "%s replay window=day",
                "%s replay window=PT-1H",
                "%s replay window=P99999999D",
                "%s replay id=1 endpoint=crm",
                "/no/such/file.db list"
            })
    void aWrongCallPrintsTheUsageAndMakesNoFile(String line) {
        List<String> args =
                line.isEmpty() ? List.of() : List.of(line.formatted(file).split(" ", -1));

        assertThat(run(args.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: ReplayDlq <outbox>");
        assertThat(outbox.list(DeadLetters.Filter.ALL)).hasSize(3);
    }

    @Test
    void aFileOfSomethingElseIsNoOutboxAndDoesNotBecomeOne() throws Exception {
        Path other = file.resolveSibling("other.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + other);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE notes (text TEXT)");
            byte[] before = Files.readAllBytes(other);

            assertThat(run(other.toString(), "list")).isEqualTo(2);

            assertThat(Files.readAllBytes(other)).isEqualTo(before);
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsReportedWithoutItsAddress() {
        assertThat(run("jdbc:postgresql://127.0.0.1:1/outbox?user=u&password=topsecret", "list"))
                .isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("topsecret", "127.0.0.1");
    }
}
