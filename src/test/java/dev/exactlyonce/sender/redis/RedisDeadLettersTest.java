package dev.exactlyonce.sender.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.NoNettyThreadLocals;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.DeadLetters.Filter;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.dispatch.OutboxDeadLetters;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.spi.EventQueue.Enqueued;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.sql.SqlOutbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.redis.DocumentedAcl;
import dev.exactlyonce.store.redis.RedisProcess;
import dev.exactlyonce.testkit.SettableClock;
import dev.exactlyonce.testkit.Together;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas with a file each, and one Redis. */
@Timeout(120)
@ExtendWith(NoNettyThreadLocals.class)
class RedisDeadLettersTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofHours(24);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Map<String, String> HEADERS =
            Map.of("content-type", "application/json", "x-more", "ä\\b; c=~");

    private static RedisProcess redis;

    private final SettableClock clock = new SettableClock();

    @TempDir
    Path folder;

    private Replica here;
    private Replica there;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start(
                DocumentedAcl.line("dead letters ([sending.md](sending.md))", "`exactlyonce.redis.wait-replicas`"));
    }

    @AfterAll
    static void theDocumentedCommandsWereEnough() {
        assertThat(DocumentedAcl.refused(redis))
                .allMatch("test1"::equals); // the client's own look at what scripts know
        redis.close();
    }

    @BeforeEach
    void openBoth() {
        redis.command("FLUSHALL");
        here = open("here", settings());
        there = open("there", settings());
    }

    @AfterEach
    void closeBoth() {
        here.close();
        there.close();
    }

    private static RedisSettings settings() {
        return DocumentedAcl.settings(redis.settings(TIMEOUT));
    }

    private Outbox file(String name) {
        return SqlOutbox.sqlite(new SqliteSettings(folder.resolve(name + ".db"), PATIENCE), clock);
    }

    private Replica open(String name, RedisSettings settings) {
        Outbox file = file(name);
        return new Replica(file, RedisDeadLetters.over(file, settings));
    }

    /** An outbox and where its dead letters go. */
    private record Replica(Outbox outbox, DeadLetterStore dead) implements AutoCloseable {
        Enqueued enqueue(OutgoingEvent event, Optional<Duration> lease) {
            return outbox.enqueue(event, lease);
        }

        List<ClaimedEvent> claim(String endpoint, int most, Duration lease) {
            return outbox.claim(endpoint, most, lease);
        }

        Set<String> due() {
            return outbox.due();
        }

        List<Boolean> settle(List<AttemptResult> results) {
            List<Boolean> settled = outbox.settle(results);
            if (results.stream().anyMatch(it -> it instanceof AttemptResult.Exhausted)) {
                dead.added();
            }
            return settled;
        }

        List<DeadLetter> list(Filter filter) {
            return dead.list(filter);
        }

        Optional<DeadLetter> get(String id) {
            return dead.get(id);
        }

        Replay replay(String id, Optional<Duration> window) {
            return dead.replay(id, window);
        }

        boolean discard(String id) {
            return dead.discard(id);
        }

        @Override
        public void close() {
            dead.close();
            outbox.close();
        }
    }

    private static OutgoingEvent event(String endpoint, String key) {
        return new OutgoingEvent(
                endpoint, new EventKey(key), HEADERS, ("{\"key\":\"" + key + "\"}").getBytes(StandardCharsets.UTF_8));
    }

    private static ClaimedEvent claimed(Replica outbox, OutgoingEvent event) {
        Enqueued enqueued = outbox.enqueue(event, Optional.of(LEASE));
        assertThat(enqueued).isInstanceOf(Enqueued.Claimed.class);
        return ((Enqueued.Claimed) enqueued).event();
    }

    private static ClaimedEvent claimOne(Replica outbox) {
        List<ClaimedEvent> events = outbox.claim("crm", 10, LEASE);
        assertThat(events).hasSize(1);
        return events.get(0);
    }

    private void die(Replica outbox, ClaimedEvent event) {
        Attempt made = new Attempt(event.attempt(), clock.instant(), "404 not found");
        assertThat(outbox.settle(
                        List.of(new AttemptResult.Exhausted(event, Optional.of(made), "404", Optional.empty()))))
                .containsExactly(true);
    }

    private void die(Replica outbox, String... keys) {
        for (String key : keys) {
            die(outbox, claimed(outbox, event("crm", key)));
        }
    }

    private static void deliver(Replica outbox, ClaimedEvent event) {
        assertThat(outbox.settle(List.of(new AttemptResult.Succeeded(event, Optional.empty()))))
                .containsExactly(true);
    }

    private static void awaitInRedis(int entries) {
        patiently().until(() -> inRedis() == entries);
    }

    private static int inRedis() {
        return Integer.parseInt(redis.command("XLEN", "exactlyonce:dlq"));
    }

    private static ConditionFactory patiently() {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .ignoreExceptionsInstanceOf(OutboxUnavailableException.class);
    }

    /** Also that the outbox has forgotten them. */
    private static void awaitMoved(Replica outbox, int entries) {
        awaitInRedis(entries);
        patiently().until(() -> locals(outbox).isEmpty());
    }

    private static List<DeadLetter> locals(Replica outbox) {
        return outbox.list(Filter.ALL).stream()
                .filter(it -> it.id().startsWith("local-"))
                .toList();
    }

    private String deadInRedis(String key) {
        int before = inRedis();
        die(here, key);
        awaitMoved(here, before + 1);
        List<DeadLetter> all = there.list(Filter.ALL.limit(1000));
        return all.get(all.size() - 1).id();
    }

    private static List<String> keys(List<DeadLetter> letters) {
        return letters.stream().map(it -> it.key().value()).toList();
    }

    private static List<String> keys(Replica outbox, Filter filter) {
        return keys(outbox.list(filter));
    }

    private static void assertSame(OutgoingEvent found, OutgoingEvent sent) {
        assertThat(found.endpoint()).isEqualTo(sent.endpoint());
        assertThat(found.key()).isEqualTo(sent.key());
        assertThat(found.headers()).isEqualTo(sent.headers());
        assertThat(found.body()).isEqualTo(sent.body());
    }

    private static byte[] everyByte() {
        byte[] body = new byte[1000];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) i;
        }
        return body;
    }

    @Test
    void anotherReplicaSeesAllThatIsNeededToSendItAgain() {
        OutgoingEvent event = new OutgoingEvent("crm", new EventKey("k:'\";--\\"), HEADERS, everyByte());
        ClaimedEvent claimed = claimed(here, event);
        Instant began = clock.instant();
        here.settle(List.of(new AttemptResult.RetryLater(
                claimed, Optional.of(new Attempt(1, began, "no-answer")), Duration.ofSeconds(1))));
        clock.advance(Duration.ofSeconds(1));
        Optional<Instant> notBefore = Optional.of(clock.instant().plusSeconds(300));
        here.settle(List.of(new AttemptResult.Exhausted(
                claimOne(here), Optional.of(new Attempt(2, clock.instant(), "503 a\tb")), "503\nü", notBefore)));
        awaitMoved(here, 1);

        DeadLetter letter = there.list(Filter.ALL).get(0);
        assertSame(letter.event(), event);
        assertThat(letter.attempts())
                .containsExactly(new Attempt(1, began, "no-answer"), new Attempt(2, began.plusSeconds(1), "503 a\tb"));
        assertThat(letter.error()).isEqualTo("503\nü");
        assertThat(letter.firstAttempt()).contains(began);
        assertThat(letter.since()).isEqualTo(clock.instant());
        assertThat(letter.notBefore()).isEqualTo(notBefore);
        assertThat(letter.replayed()).isEmpty();
        assertThat(here.get(letter.id()).orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(letter);
    }

    @Test
    void anEmptyBodyWithoutHeadersThatWasNeverAttemptedComesOutSo() {
        OutgoingEvent event = new OutgoingEvent("crm", new EventKey("k"), Map.of(), new byte[0]);
        here.settle(List.of(
                new AttemptResult.Exhausted(claimed(here, event), Optional.empty(), "deadline", Optional.empty())));
        awaitMoved(here, 1);

        DeadLetter letter = there.list(Filter.ALL).get(0);
        assertSame(letter.event(), event);
        assertThat(letter.attempts()).isEmpty();
        assertThat(letter.firstAttempt()).isEmpty();
        clock.advance(WINDOW.multipliedBy(2));
        assertThat(there.replay(letter.id(), Optional.of(WINDOW))).isEqualTo(Replay.REPLAYED);
        assertSame(claimOne(there).event(), event);
    }

    @Test
    void theKeyOfAMovedEntryStaysKnown() {
        deadInRedis("k");

        assertThat(here.enqueue(event("crm", "k"), Optional.of(LEASE))).isInstanceOf(Enqueued.Known.class);
        assertThat(here.due()).isEmpty();
    }

    @Test
    void anotherReplicaReplaysWithTheSameKeyAndBytes() {
        String id = deadInRedis("k");
        clock.advance(Duration.ofMinutes(5));
        assertThat(there.replay(id, Optional.of(WINDOW))).isEqualTo(Replay.REPLAYED);

        assertThat(inRedis()).isZero();
        assertThat(there.list(Filter.ALL)).isEmpty();
        assertThat(here.claim("crm", 10, LEASE)).isEmpty();
        ClaimedEvent replayed = claimOne(there);
        assertSame(replayed.event(), event("crm", "k"));
        assertThat(replayed.attempt()).isEqualTo(1);
        assertThat(replayed.roundBegan()).isEqualTo(clock.instant());
        assertThat(there.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        assertThat(here.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
    }

    @Test
    void anEntryThatDiesAgainKeepsItsHistoryAndItsFirstAttempt() {
        Instant first = clock.instant();
        String id = deadInRedis("k");
        clock.advance(Duration.ofMinutes(5));
        Instant replayed = clock.instant();
        there.replay(id, Optional.empty());
        die(there, claimOne(there));
        awaitMoved(there, 1);
        assertThat(here.replay(here.list(Filter.ALL).get(0).id(), Optional.empty()))
                .isEqualTo(Replay.REPLAYED);
        clock.advance(Duration.ofMinutes(5));
        die(here, claimOne(here));
        awaitMoved(here, 1);

        DeadLetter letter = there.list(Filter.ALL).get(0);
        assertThat(letter.attempts()).extracting(Attempt::number).containsExactly(1, 1, 1);
        assertThat(letter.firstAttempt()).contains(first);
        assertThat(letter.replayed()).contains(replayed);
    }

    @Test
    void ofReplicasThatReplayAnEntryAtOnceOneHasIt() throws Exception {
        for (int round = 0; round < 200; round++) {
            String id = deadInRedis("k" + round);
            List<Replay> answers =
                    Together.run(4, thread -> (thread % 2 == 0 ? here : there).replay(id, Optional.of(WINDOW)));

            assertThat(answers).filteredOn(it -> it == Replay.REPLAYED).hasSize(1);
            assertThat(answers).filteredOn(it -> it == Replay.ALREADY_REPLAYED).hasSize(3);
            List<ClaimedEvent> claimed = new ArrayList<>(here.claim("crm", 10, LEASE));
            claimed.addAll(there.claim("crm", 10, LEASE));
            assertThat(claimed).extracting(it -> it.event().key().value()).containsExactly("k" + round);
            assertThat(inRedis()).isZero();
        }
    }

    @Test
    void anEntryThatACrashLeftTwiceIsReplayedOnce() {
        here.close();
        try (Outbox crashed = file("here");
                DeadLetterClient connection = new DeadLetterClient(settings())) {
            die(new Replica(crashed, crashed), "k");
            new DeadLetterStream(connection, settings())
                    .add(crashed.list(Filter.ALL).get(0));
        }
        here = open("here", settings());
        awaitMoved(here, 2);

        assertThat(keys(here, Filter.ALL)).containsExactly("k", "k");
        List<DeadLetter> both = here.list(Filter.ALL);
        assertThat(here.replay(both.get(0).id(), Optional.empty())).isEqualTo(Replay.REPLAYED);
        deliver(here, claimOne(here));
        assertThat(here.replay(both.get(1).id(), Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        assertThat(here.claim("crm", 10, LEASE)).isEmpty();
        assertThat(inRedis()).isZero();
    }

    @Test
    void replayAllReplaysWhatIsInRedisAndWhatIsNot() {
        die(there, "a", "b", "c");
        awaitMoved(there, 3);
        refuseWrites(() -> die(here, "d", "e"));
        DeadLetters letters = new OutboxDeadLetters(here.dead(), WINDOW, () -> {});

        assertThat(letters.replayAll(Filter.ALL, false)).isEqualTo(new DeadLetters.ReplaySummary(5, 0));
        assertThat(here.claim("crm", 10, LEASE)).hasSize(5);
        awaitInRedis(0);
    }

    /** Redis answers reads and takes nothing, so that what dies meanwhile stays; it is not woken for a while. */
    private static void refuseWrites(Runnable work) {
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try {
            work.run();
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void entriesAreListedPageByPageOverBothPlaces() {
        die(there, "a", "b", "c");
        awaitMoved(there, 3);
        refuseWrites(() -> {
            die(here, "d", "e", "f");
            Filter two = Filter.ALL.limit(2);
            List<DeadLetter> first = here.list(two);
            List<DeadLetter> second = here.list(two.after(first.get(1).id()));
            List<DeadLetter> third = here.list(two.after(second.get(1).id()));

            assertThat(Stream.of(first, second, third).map(RedisDeadLettersTest::keys))
                    .containsExactly(List.of("d", "e"), List.of("f", "a"), List.of("b", "c"));
            assertThat(here.list(two.after(third.get(1).id()))).isEmpty();
            assertThat(keys(there, Filter.ALL)).containsExactly("a", "b", "c");
        });
        assertThatThrownBy(() -> here.list(Filter.ALL.after("no id"))).isInstanceOf(IllegalArgumentException.class);
        awaitMoved(here, 6);
    }

    @Test
    void entriesAreFoundByEndpointAndByTimeBehindManyOthers() {
        IntStream.range(0, 20).forEach(i -> die(here, "early" + i));
        clock.advance(Duration.ofMinutes(1));
        Instant from = clock.instant();
        die(here, "second");
        die(here, claimed(here, event("erp", "other")));
        clock.advance(Duration.ofMinutes(1));
        Instant to = clock.instant();
        die(here, "third");
        awaitMoved(here, 23);

        assertThat(keys(there, Filter.ALL.ofEndpoint("erp"))).containsExactly("other");
        assertThat(keys(there, new Filter(Optional.empty(), Optional.of(from), Optional.of(to), Optional.empty(), 10)))
                .containsExactly("second", "other");
        assertThat(keys(
                        there,
                        new Filter(Optional.of("crm"), Optional.of(from), Optional.empty(), Optional.empty(), 1)))
                .containsExactly("second");
        assertThat(there.list(Filter.ALL)).hasSize(23);
    }

    @Test
    void whatDiesWhileRedisIsAwayStaysHereAndIsMovedOnceItIsBack() {
        deadInRedis("forgotten");
        redis.kill();
        try {
            die(here, "a", "b");
            List<DeadLetter> locals = here.list(Filter.ALL);
            assertThat(keys(locals)).containsExactly("a", "b");
            assertThat(locals).allSatisfy(it -> assertThat(it.id()).matches("local-\\d+-[0-9a-f]{16}"));
            assertThat(here.get(locals.get(0).id()).orElseThrow().body())
                    .isEqualTo(event("crm", "a").body());
            assertThatThrownBy(() -> here.list(Filter.ALL.after(locals.get(1).id())))
                    .isInstanceOf(OutboxUnavailableException.class)
                    .hasMessageNotContaining(Integer.toString(redis.port()))
                    .hasNoCause();
            assertThat(here.replay(locals.get(0).id(), Optional.of(WINDOW))).isEqualTo(Replay.REPLAYED);
            assertThat(claimOne(here).event().key().value()).isEqualTo("a");
            assertThat(here.enqueue(event("erp", "new"), Optional.empty())).isInstanceOf(Enqueued.Waiting.class);
        } finally {
            redis.restart();
        }
        awaitMoved(here, 1);
        awaitMoved(there, 1);

        assertThat(keys(there, Filter.ALL)).containsExactly("b");
        die(here, "c");
        awaitMoved(here, 2);
        assertThat(keys(there, Filter.ALL)).containsExactly("b", "c");
        assertThat(here.due()).containsExactly("erp");
    }

    @Test
    void aRedisThatStandsStillHoldsNothingUpAndTakesEachEntryOnce() {
        deadInRedis("before");
        redis.pause();
        try {
            die(here, "a", "b", "c");
            assertThat(here.enqueue(event("crm", "d"), Optional.of(LEASE))).isInstanceOf(Enqueued.Claimed.class);
            assertThatThrownBy(() -> here.replay("1-1", Optional.empty()))
                    .isInstanceOf(OutboxUnavailableException.class);
        } finally {
            redis.resume();
        }
        patiently().until(() -> locals(here).isEmpty());

        assertThat(keys(there, Filter.ALL)).containsExactly("before", "a", "b", "c");
    }

    @Test
    void aDiscardedEntryIsGone() {
        String id = deadInRedis("k");
        assertThat(there.discard(id)).isTrue();

        assertThat(inRedis()).isZero();
        assertThat(here.discard(id)).isFalse();
        assertThat(here.get(id)).isEmpty();
        assertThat(here.replay(id, Optional.empty())).isEqualTo(Replay.UNKNOWN);
    }

    @Test
    void anIdOfAnotherReplicasOwnEntryMeansNothingHere() {
        refuseWrites(() -> {
            die(here, "mine");
            die(there, "yours");
            String yours = there.list(Filter.ALL).get(0).id();
            assertThat(yours).startsWith("local-1-");
            assertThat(here.list(Filter.ALL).get(0).id()).startsWith("local-1-");

            assertThat(here.get(yours)).isEmpty();
            assertThat(here.discard(yours)).isFalse();
            assertThat(here.replay(yours, Optional.empty())).isEqualTo(Replay.UNKNOWN);
            assertThat(there.discard(yours)).isTrue();
            assertThat(keys(here, Filter.ALL)).containsExactly("mine");
        });
    }

    @Test
    void anEntryWhoseFirstAttemptIsOlderThanTheWindowNeedsForce() {
        String id = deadInRedis("k");
        clock.advance(WINDOW.plusMillis(1));
        assertThat(there.replay(id, Optional.of(WINDOW))).isEqualTo(Replay.NEEDS_FORCE);
        assertThat(there.due()).isEmpty();
        assertThat(keys(there, Filter.ALL)).containsExactly("k");

        assertThat(here.replay(id, Optional.empty())).isEqualTo(Replay.REPLAYED);
    }

    @Test
    void whatAnotherReplicaIsReplayingIsLeftToItUntilItsMarkEnds() {
        String id = deadInRedis("k");
        redis.command("SET", "exactlyonce:dlq:" + id, "replaying another", "PX", "60000");
        assertThat(there.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        assertThat(there.discard(id)).isFalse();
        redis.command("DEL", "exactlyonce:dlq:" + id);

        assertThat(there.replay(id, Optional.empty())).isEqualTo(Replay.REPLAYED);
        assertThat(Long.parseLong(redis.command("PTTL", "exactlyonce:dlq:" + id)))
                .isBetween(1L, Duration.ofHours(24).toMillis());
    }

    @Test
    void aReplayThatFailsCanBeRepeatedByAnother() {
        String id = deadInRedis("k");
        there.close();
        Outbox closed = file("closed");
        closed.close();
        DeadLetterStore broken = RedisDeadLetters.over(closed, settings());
        assertThatThrownBy(() -> broken.replay(id, Optional.empty())).isInstanceOf(OutboxUnavailableException.class);
        broken.close();
        there = open("there", settings());

        assertThat(there.replay(id, Optional.empty())).isEqualTo(Replay.REPLAYED);
    }

    @Test
    void whatIsNoDeadLetterIsNotReplayedDiscardedOrFound() {
        for (String id : List.of("1-1", "0-0", "1", "-1", "x", "", "local-1", "local-1-0123456789abcdef")) {
            assertThat(here.replay(id, Optional.empty())).as(id).isEqualTo(Replay.UNKNOWN);
            assertThat(here.discard(id)).as(id).isFalse();
            assertThat(here.get(id)).as(id).isEmpty();
        }
    }

    @Test
    void anEntryOfAnotherProgramIsSkipped() {
        redis.command("XADD", "exactlyonce:dlq", "*", "endpoint", "crm", "key", "not ours");
        String id = deadInRedis("k");

        assertThat(keys(there, Filter.ALL)).containsExactly("k");
        assertThat(there.replay(id, Optional.empty())).isEqualTo(Replay.REPLAYED);
        assertThat(inRedis()).isEqualTo(1);
    }

    @Test
    void anEntryThatTooFewReplicasOfRedisHaveStaysHere() {
        RedisSettings one = settings();
        RedisSettings two = new RedisSettings(one.server(), one.file(), one.prefix(), Duration.ofMillis(500), 1);
        Replica careful = open("careful", two);
        die(careful, "k");
        long before = entriesTakenBack();
        patiently().until(() -> entriesTakenBack() > before);
        careful.close();

        assertThat(inRedis()).isZero();
        try (Outbox file = file("careful")) {
            assertThat(keys(file.list(Filter.ALL))).containsExactly("k");
        }
    }

    private static long entriesTakenBack() {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(it -> it.startsWith("cmdstat_xdel:calls="))
                .map(it -> it.substring("cmdstat_xdel:calls=".length(), it.indexOf(',')))
                .mapToLong(Long::parseLong)
                .sum();
    }
}
