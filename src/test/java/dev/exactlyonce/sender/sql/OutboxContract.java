package dev.exactlyonce.sender.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.EventQueue.Enqueued;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.testkit.Together;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every outbox must guarantee. */
abstract class OutboxContract {
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration WINDOW = Duration.ofHours(24);

    private static final Duration TICK = Duration.ofMillis(1);
    private static final Map<String, String> HEADERS =
            Map.of("content-type", "application/json", "x-more", "a\\b; c=~");

    Outbox outbox;

    /** Another one over the same rows. */
    abstract Outbox open();

    /** The time of the outbox's clock, which stands still. */
    abstract Instant now();

    abstract void letPass(Duration time) throws SQLException;

    /** A connection that is none of the outbox's. */
    abstract Connection connect() throws SQLException;

    @BeforeEach
    void openIt() {
        outbox = open();
    }

    @AfterEach
    void closeIt() {
        outbox.close();
    }

    private void reopen() {
        outbox.close();
        outbox = open();
    }

    static OutgoingEvent event(String endpoint, String key) {
        return new OutgoingEvent(
                endpoint, new EventKey(key), HEADERS, ("{\"key\":\"" + key + "\"}").getBytes(StandardCharsets.UTF_8));
    }

    void putWaiting(String key) {
        assertThat(outbox.enqueue(event("crm", key), Optional.empty())).isInstanceOf(Enqueued.Waiting.class);
    }

    private ClaimedEvent claimed(String key) {
        Enqueued enqueued = outbox.enqueue(event("crm", key), Optional.of(LEASE));
        assertThat(enqueued).isInstanceOf(Enqueued.Claimed.class);
        return ((Enqueued.Claimed) enqueued).event();
    }

    private ClaimedEvent claimOne() {
        List<ClaimedEvent> events = outbox.claim("crm", 10, LEASE);
        assertThat(events).hasSize(1);
        return events.get(0);
    }

    private Optional<Attempt> attempt(ClaimedEvent event, String outcome) {
        return Optional.of(new Attempt(event.attempt(), now(), outcome));
    }

    private AttemptResult delivered(ClaimedEvent event) {
        return new AttemptResult.Succeeded(event, attempt(event, "200"));
    }

    private AttemptResult again(ClaimedEvent event, Duration delay) {
        return new AttemptResult.RetryLater(event, attempt(event, "500"), delay);
    }

    private AttemptResult dead(ClaimedEvent event) {
        return new AttemptResult.Exhausted(event, attempt(event, "404"), "404", Optional.empty());
    }

    private static AttemptResult unsent(ClaimedEvent event) {
        return new AttemptResult.Exhausted(event, Optional.empty(), "deadline", Optional.empty());
    }

    private boolean settle(AttemptResult result) {
        List<Boolean> answers = outbox.settle(List.of(result));
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private String deadLetter(String key) {
        settle(dead(claimed(key)));
        List<DeadLetter> letters = outbox.list(DeadLetters.Filter.ALL.limit(1000));
        return letters.get(letters.size() - 1).id();
    }

    private List<String> keys(DeadLetters.Filter filter) {
        return outbox.list(filter).stream().map(it -> it.key().value()).toList();
    }

    long count(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void assertKnown(String key) {
        assertThat(outbox.enqueue(event("crm", key), Optional.empty())).isInstanceOf(Enqueued.Known.class);
        assertThat(outbox.enqueue(event("crm", key), Optional.of(LEASE))).isInstanceOf(Enqueued.Known.class);
    }

    private void assertNothingDue() {
        assertThat(outbox.due()).isEmpty();
        assertThat(outbox.claim("crm", 10, LEASE)).isEmpty();
    }

    private void assertSame(OutgoingEvent found, OutgoingEvent sent) {
        assertThat(found.endpoint()).isEqualTo(sent.endpoint());
        assertThat(found.key()).isEqualTo(sent.key());
        assertThat(found.headers()).isEqualTo(sent.headers());
        assertThat(found.body()).isEqualTo(sent.body());
    }

    @Test
    void anEventComesOutAsItWentIn() {
        byte[] body = new byte[1000];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) i;
        }
        OutgoingEvent event = new OutgoingEvent("crm", new EventKey("k:'\";--\\"), HEADERS, body);
        assertThat(outbox.enqueue(event, Optional.empty())).isInstanceOf(Enqueued.Waiting.class);
        assertThat(outbox.due()).containsExactly("crm");

        ClaimedEvent claimed = claimOne();
        assertSame(claimed.event(), event);
        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(claimed.roundBegan()).isEqualTo(now());
        assertNothingDue();
    }

    @Test
    void anEmptyBodyAndNoHeadersComeOutEmpty() {
        OutgoingEvent event = new OutgoingEvent("crm", new EventKey("k"), Map.of(), new byte[0]);
        outbox.enqueue(event, Optional.empty());

        assertSame(claimOne().event(), event);
    }

    @Test
    void anEventThatIsClaimedAtItsEnqueueIsItsSendersUntilTheLeaseEnds() throws Exception {
        ClaimedEvent claimed = claimed("k");
        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(claimed.roundBegan()).isEqualTo(now());
        letPass(LEASE.minus(TICK));
        assertNothingDue();
        letPass(TICK);

        assertThat(outbox.due()).containsExactly("crm");
        assertThat(claimOne().id()).isEqualTo(claimed.id());
    }

    @Test
    void aKeyIsKnownInEveryState() throws Exception {
        putWaiting("k");
        assertKnown("k");
        ClaimedEvent claimed = claimOne();
        assertKnown("k");
        settle(dead(claimed));
        assertKnown("k");
        outbox.replay(Long.toString(claimed.id()), Optional.empty());
        assertKnown("k");
        settle(delivered(claimOne()));
        assertKnown("k");

        assertThat(outbox.enqueue(event("other", "k"), Optional.empty())).isInstanceOf(Enqueued.Waiting.class);
        assertThat(count("SELECT count(*) FROM exactly_once_outbox")).isEqualTo(2);
    }

    @Test
    void ofManySendersOfOneKeyOneEnqueuesIt() throws Exception {
        List<Enqueued> answers = Together.run(8, thread -> outbox.enqueue(event("crm", "k"), Optional.of(LEASE)));

        assertThat(answers).filteredOn(it -> it instanceof Enqueued.Claimed).hasSize(1);
        assertThat(answers).filteredOn(it -> it instanceof Enqueued.Known).hasSize(7);
    }

    @Test
    void ofOwnersThatRaceForOneEventOneClaimsIt() throws Exception {
        try (Outbox second = open()) {
            for (int round = 0; round < 20; round++) {
                putWaiting("k" + round);
                List<List<ClaimedEvent>> claims =
                        Together.run(4, thread -> (thread % 2 == 0 ? outbox : second).claim("crm", 10, LEASE));

                assertThat(claims.stream().flatMap(List::stream)).hasSize(1);
            }
        }
    }

    @Test
    void ownersThatClaimTogetherShareTheEventsOut() throws Exception {
        for (int i = 0; i < 60; i++) {
            putWaiting("k" + i);
        }
        List<List<ClaimedEvent>> claims = Together.run(4, thread -> {
            List<ClaimedEvent> mine = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                mine.addAll(outbox.claim("crm", 7, LEASE));
            }
            return mine;
        });

        assertThat(claims.stream().flatMap(List::stream).map(ClaimedEvent::id))
                .hasSize(60)
                .doesNotHaveDuplicates();
    }

    @Test
    void theLongestDueAreClaimedFirstAndNoMoreThanAsked() throws Exception {
        settle(again(claimed("first"), Duration.ofSeconds(20)));
        settle(again(claimed("second"), Duration.ofSeconds(10)));
        settle(again(claimed("third"), Duration.ofSeconds(15)));
        letPass(Duration.ofSeconds(20));

        assertThat(outbox.claim("crm", 2, LEASE))
                .extracting(it -> it.event().key().value())
                .containsExactly("second", "third");
        assertThat(outbox.claim("crm", 2, LEASE))
                .extracting(it -> it.event().key().value())
                .containsExactly("first");
    }

    @Test
    void endpointsAreDueAndClaimedEachByItself() throws Exception {
        putWaiting("k");
        outbox.enqueue(event("erp", "k"), Optional.empty());
        outbox.enqueue(event("wms", "k"), Optional.of(LEASE));
        assertThat(outbox.due()).isEqualTo(Set.of("crm", "erp"));
        assertThat(outbox.claim("erp", 10, LEASE)).hasSize(1);
        assertThat(outbox.due()).isEqualTo(Set.of("crm"));
        letPass(LEASE);

        assertThat(outbox.due()).isEqualTo(Set.of("crm", "erp", "wms"));
    }

    @Test
    void anEventToBeSentAgainIsDueExactlyThen() throws Exception {
        ClaimedEvent first = claimed("k");
        Instant began = now();
        letPass(Duration.ofSeconds(3));
        assertThat(settle(again(first, Duration.ofSeconds(5)))).isTrue();
        letPass(Duration.ofSeconds(5).minus(TICK));
        assertNothingDue();
        letPass(TICK);

        assertThat(outbox.due()).containsExactly("crm");
        ClaimedEvent second = claimOne();
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.roundBegan()).isEqualTo(began);
        assertThat(second.roundAge()).isEqualTo(Duration.between(began, now()));
        assertThat(second.owner()).isNotEqualTo(first.owner());
    }

    @Test
    void aLateOwnerChangesNothingOnceAnotherHasTheClaim() throws Exception {
        ClaimedEvent late = claimed("k");
        letPass(LEASE);
        ClaimedEvent holder = claimOne();
        assertThat(holder.attempt()).isEqualTo(2);

        assertThat(outbox.settle(List.of(delivered(late), again(late, Duration.ZERO), dead(late), unsent(late))))
                .containsExactly(false, false, false, false);
        assertThat(outbox.renew(late, LEASE.multipliedBy(2))).isFalse();
        assertNothingDue();
        assertThat(settle(dead(holder))).isTrue();
        assertThat(outbox.list(DeadLetters.Filter.ALL).get(0).attempts()).hasSize(1);
    }

    @Test
    void anOwnerWhoseLeaseEndedStillWritesItsResultWhileNoOtherOwnerClaimed() throws Exception {
        ClaimedEvent late = claimed("k");
        letPass(LEASE.multipliedBy(2));

        assertThat(settle(delivered(late))).isTrue();
        assertNothingDue();
    }

    @Test
    void aRenewedClaimHoldsForItsNewLease() throws Exception {
        ClaimedEvent claimed = claimed("k");
        letPass(LEASE.minus(TICK));
        assertThat(outbox.renew(claimed, LEASE)).isTrue();
        letPass(LEASE.minus(TICK));
        assertNothingDue();
        letPass(TICK);
        assertThat(outbox.due()).isNotEmpty();
    }

    @Test
    void aSettledClaimIsNotRenewed() {
        ClaimedEvent claimed = claimed("k");
        settle(again(claimed, Duration.ofSeconds(5)));

        assertThat(outbox.renew(claimed, LEASE)).isFalse();
    }

    @Test
    void anAttemptThatWasNotMadeIsTakenBack() throws Exception {
        settle(new AttemptResult.RetryLater(claimed("k"), Optional.empty(), Duration.ofSeconds(1)));
        letPass(Duration.ofSeconds(1));
        ClaimedEvent first = claimOne();
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.roundBegan()).isEqualTo(now());
        settle(again(first, Duration.ofSeconds(1)));
        letPass(Duration.ofSeconds(1));
        settle(new AttemptResult.RetryLater(claimOne(), Optional.empty(), Duration.ofSeconds(1)));
        letPass(Duration.ofSeconds(1));
        ClaimedEvent second = claimOne();

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.roundBegan()).isEqualTo(first.roundBegan());
    }

    @Test
    void anEventThatWasNeverAttemptedHasNoFirstAttempt() {
        settle(unsent(claimed("k")));

        DeadLetter letter = outbox.list(DeadLetters.Filter.ALL).get(0);
        assertThat(letter.firstAttempt()).isEmpty();
        assertThat(letter.attempts()).isEmpty();
        assertThat(letter.error()).isEqualTo("deadline");
    }

    @Test
    void anAttemptThatMayHaveBeenMadeBeforeACrashIsTheFirst() throws Exception {
        claimed("k");
        Instant first = now();
        letPass(LEASE);
        settle(unsent(claimOne()));

        assertThat(outbox.list(DeadLetters.Filter.ALL).get(0).firstAttempt()).contains(first);
    }

    @Test
    void theFirstAttemptStaysTheFirstOverReplays() throws Exception {
        Instant first = now();
        String id = deadLetter("k");
        outbox.replay(id, Optional.empty());
        settle(unsent(claimOne()));
        assertThat(outbox.get(id).orElseThrow().firstAttempt()).contains(first);
        letPass(Duration.ofMinutes(1));
        outbox.replay(id, Optional.empty());
        settle(dead(claimOne()));

        assertThat(outbox.get(id).orElseThrow().firstAttempt()).contains(first);
    }

    @Test
    void aResultThatIsWrittenAgainChangesNothing() throws Exception {
        ClaimedEvent again = claimed("again");
        ClaimedEvent dead = claimed("dead");
        ClaimedEvent done = claimed("done");
        List<AttemptResult> results = List.of(again(again, Duration.ofSeconds(5)), dead(dead), delivered(done));
        assertThat(outbox.settle(results)).containsExactly(true, true, true);
        letPass(Duration.ofSeconds(5));
        assertThat(outbox.settle(results)).containsExactly(true, true, true);
        assertThat(settle(delivered(dead))).isTrue();

        ClaimedEvent second = claimOne();
        assertThat(second.event().key().value()).isEqualTo("again");
        settle(dead(second));
        assertThat(outbox.list(DeadLetters.Filter.ALL))
                .extracting(it -> it.attempts().size())
                .containsExactly(2, 1);
    }

    @Test
    void resultsOfManyAreAnsweredInTheirOrder() throws Exception {
        ClaimedEvent lost = claimed("lost");
        letPass(LEASE);
        claimOne();
        List<AttemptResult> results = new ArrayList<>();
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            results.addAll(List.of(
                    dead(claimed("dead" + i)),
                    delivered(lost),
                    new AttemptResult.Abandoned(claimed("dropped" + i), Optional.empty()),
                    again(claimed("again" + i), Duration.ofSeconds(5)),
                    delivered(claimed("done" + i))));
            answers.addAll(List.of(true, false, true, true, true));
        }

        assertThat(outbox.settle(results)).isEqualTo(answers);
        assertThat(outbox.settle(List.of())).isEmpty();
        assertThat(outbox.list(DeadLetters.Filter.ALL)).hasSize(20);
        assertThat(count("SELECT count(*) FROM exactly_once_outbox WHERE state = 'done'"))
                .isEqualTo(40);
        assertThat(count("SELECT count(*) FROM exactly_once_outbox WHERE state = 'waiting'"))
                .isEqualTo(20);
    }

    @Test
    void whatWasDeliveredKeepsItsKeyAndHistoryAndNothingElse() throws Exception {
        settle(delivered(claimed("k")));

        assertThat(count("SELECT length(body) + length(headers) FROM exactly_once_outbox"))
                .isZero();
        assertThat(count("SELECT length(history) FROM exactly_once_outbox")).isPositive();
    }

    @Test
    void aDeadLetterHoldsAllThatIsNeededToSendItAgain() throws Exception {
        ClaimedEvent first = claimed("k");
        Instant began = now();
        settle(again(first, Duration.ofSeconds(1)));
        letPass(Duration.ofSeconds(1));
        ClaimedEvent second = claimOne();
        letPass(Duration.ofSeconds(2));
        Optional<Instant> notBefore = Optional.of(now().plusSeconds(300));
        settle(new AttemptResult.Exhausted(second, attempt(second, "503\n\t\\"), "503", notBefore));

        DeadLetter letter = outbox.list(DeadLetters.Filter.ALL).get(0);
        assertSame(letter.event(), event("crm", "k"));
        assertThat(letter.attempts())
                .containsExactly(new Attempt(1, began, "500"), new Attempt(2, began.plusSeconds(3), "503\n\t\\"));
        assertThat(letter.error()).isEqualTo("503");
        assertThat(letter.firstAttempt()).contains(began);
        assertThat(letter.since()).isEqualTo(now());
        assertThat(letter.notBefore()).isEqualTo(notBefore);
        assertThat(letter.replayed()).isEmpty();
        assertThat(outbox.get(letter.id()).orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(letter);
        letPass(LEASE.multipliedBy(100));
        assertNothingDue();
    }

    @Test
    void deadLettersAreListedOldestFirstPageByPage() {
        Stream.of("a", "b", "c", "d", "e").forEach(this::deadLetter);
        DeadLetters.Filter two = DeadLetters.Filter.ALL.limit(2);
        assertThat(keys(two)).containsExactly("a", "b");
        String second = outbox.list(two).get(1).id();
        String fourth = outbox.list(two.after(second)).get(1).id();

        assertThat(keys(two.after(second))).containsExactly("c", "d");
        assertThat(keys(two.after(fourth))).containsExactly("e");
        assertThatThrownBy(() -> outbox.list(two.after("no id"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPageOfLargeBodiesIsShorterAndTheNextOnesHaveTheRest() {
        for (int i = 0; i < 4; i++) {
            outbox.enqueue(
                    new OutgoingEvent("crm", new EventKey("large-" + i), Map.of(), new byte[6 << 20]),
                    Optional.empty());
        }
        outbox.settle(outbox.claim("crm", 4, LEASE).stream().map(this::dead).toList());
        List<String> keys = new ArrayList<>();
        DeadLetters.Filter page = DeadLetters.Filter.ALL;

        for (List<DeadLetter> letters = outbox.list(page); !letters.isEmpty(); letters = outbox.list(page)) {
            assertThat(letters).hasSizeLessThan(4);
            letters.forEach(it -> keys.add(it.key().value()));
            page = page.after(letters.get(letters.size() - 1).id());
        }

        assertThat(keys).containsExactlyInAnyOrder("large-0", "large-1", "large-2", "large-3");
    }

    @Test
    void deadLettersAreFoundByEndpointAndByTime() throws Exception {
        deadLetter("first");
        Enqueued other = outbox.enqueue(event("erp", "other"), Optional.of(LEASE));
        settle(dead(((Enqueued.Claimed) other).event()));
        letPass(Duration.ofMinutes(1));
        Instant from = now();
        deadLetter("second");
        letPass(Duration.ofMinutes(1));
        Instant to = now();
        deadLetter("third");
        DeadLetters.Filter between =
                new DeadLetters.Filter(Optional.empty(), Optional.of(from), Optional.of(to), Optional.empty(), 10);

        assertThat(keys(DeadLetters.Filter.ALL.ofEndpoint("erp"))).containsExactly("other");
        assertThat(keys(DeadLetters.Filter.ALL.ofEndpoint("crm"))).containsExactly("first", "second", "third");
        assertThat(keys(between)).containsExactly("second");
        assertThat(keys(new DeadLetters.Filter(
                        Optional.of("crm"), Optional.of(Instant.MIN), Optional.of(to), Optional.empty(), 10)))
                .containsExactly("first", "second");
        assertThat(keys(new DeadLetters.Filter(
                        Optional.empty(), Optional.of(to), Optional.of(Instant.MAX), Optional.empty(), 10)))
                .containsExactly("third");
    }

    @Test
    void aReplayBeginsANewRoundWithTheSameKeyAndBytes() throws Exception {
        String id = deadLetter("k");
        letPass(Duration.ofMinutes(5));
        assertThat(outbox.replay(id, Optional.of(WINDOW))).isEqualTo(Replay.REPLAYED);
        assertThat(outbox.due()).containsExactly("crm");
        letPass(Duration.ofSeconds(1));
        ClaimedEvent replayed = claimOne();
        assertSame(replayed.event(), event("crm", "k"));
        assertThat(replayed.attempt()).isEqualTo(1);
        assertThat(replayed.roundBegan()).isEqualTo(now());
        settle(dead(replayed));

        DeadLetter letter = outbox.get(id).orElseThrow();
        assertThat(letter.attempts()).extracting(Attempt::number).containsExactly(1, 1);
        assertThat(letter.replayed()).contains(now().minusSeconds(1));
        assertThat(outbox.replay(id, Optional.of(WINDOW))).isEqualTo(Replay.REPLAYED);
    }

    @Test
    void aReplayedEntryIsNotListedAndIsFoundUntilItsEnd() {
        String id = deadLetter("k");
        outbox.replay(id, Optional.empty());

        assertThat(outbox.list(DeadLetters.Filter.ALL)).isEmpty();
        DeadLetter letter = outbox.get(id).orElseThrow();
        assertThat(letter.replayed()).contains(now());
        assertThat(letter.error()).isEqualTo("404");
        settle(delivered(claimOne()));
        assertThat(outbox.get(id)).isEmpty();
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
    }

    @Test
    void aSecondReplayIsReportedAsSuch() {
        String id = deadLetter("k");

        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.REPLAYED);
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        claimOne();
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
    }

    @Test
    void ofReplaysAtOnceOneReplays() throws Exception {
        for (int round = 0; round < 10; round++) {
            String id = deadLetter("k" + round);
            List<Replay> answers = Together.run(4, thread -> outbox.replay(id, Optional.of(WINDOW)));

            assertThat(answers).filteredOn(it -> it == Replay.REPLAYED).hasSize(1);
            assertThat(answers).filteredOn(it -> it == Replay.ALREADY_REPLAYED).hasSize(3);
        }
    }

    @Test
    void anEntryWhoseFirstAttemptIsOlderThanTheWindowNeedsForce() throws Exception {
        String id = deadLetter("k");
        letPass(WINDOW.plus(TICK));
        assertThat(outbox.replay(id, Optional.of(WINDOW))).isEqualTo(Replay.NEEDS_FORCE);
        assertNothingDue();
        assertThat(keys(DeadLetters.Filter.ALL)).containsExactly("k");

        assertThat(outbox.replay(id, Optional.of(WINDOW.plus(TICK)))).isEqualTo(Replay.REPLAYED);
        settle(dead(claimOne()));
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.REPLAYED);
    }

    @Test
    void anEntryThatWasNeverAttemptedNeedsNoForce() throws Exception {
        ClaimedEvent claimed = claimed("k");
        settle(unsent(claimed));
        letPass(WINDOW.multipliedBy(2));

        assertThat(outbox.replay(Long.toString(claimed.id()), Optional.of(WINDOW)))
                .isEqualTo(Replay.REPLAYED);
    }

    @Test
    void aReplayIsNotDueBeforeTheReceiverWantsToBeAskedAgain() throws Exception {
        ClaimedEvent claimed = claimed("k");
        Instant notBefore = now().plusSeconds(300);
        settle(new AttemptResult.Exhausted(claimed, attempt(claimed, "429"), "429", Optional.of(notBefore)));
        assertThat(outbox.replay(Long.toString(claimed.id()), Optional.empty())).isEqualTo(Replay.REPLAYED);
        letPass(Duration.ofMinutes(5).minus(TICK));
        assertNothingDue();
        letPass(TICK);

        assertThat(outbox.due()).containsExactly("crm");
    }

    @Test
    void whatIsNoDeadLetterIsNotReplayedDiscardedOrFound() {
        putWaiting("k");
        ClaimedEvent claimed = claimOne();
        settle(delivered(claimed));
        String done = Long.toString(claimed.id());

        for (String id : List.of(done, "0", "999999", "-1", "x", "", "99999999999999999999")) {
            assertThat(outbox.replay(id, Optional.empty())).as(id).isEqualTo(Replay.UNKNOWN);
            assertThat(outbox.discard(id)).as(id).isFalse();
            assertThat(outbox.get(id)).as(id).isEmpty();
        }
    }

    @Test
    void anEventOnItsWayIsNeitherReplayedNorDiscarded() {
        String id = Long.toString(claimed("k").id());

        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        assertThat(outbox.discard(id)).isFalse();
        assertThat(outbox.get(id)).isEmpty();
    }

    @Test
    void aDiscardedEntryIsGoneButForItsKey() throws Exception {
        String id = deadLetter("k");
        assertThat(outbox.discard(id)).isTrue();

        assertThat(outbox.discard(id)).isFalse();
        assertThat(outbox.list(DeadLetters.Filter.ALL)).isEmpty();
        assertThat(outbox.get(id)).isEmpty();
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.UNKNOWN);
        assertKnown("k");
        assertThat(count("SELECT length(body) + length(headers) FROM exactly_once_outbox"))
                .isZero();
    }

    @Test
    void anEntryThatMovedElsewhereLeavesItsKeyAlone() throws Exception {
        String id = deadLetter("k");
        DeadLetter letter = outbox.get(id).orElseThrow();
        assertThat(outbox.moved(letter)).isTrue();

        assertThat(outbox.moved(letter)).isFalse();
        assertThat(outbox.list(DeadLetters.Filter.ALL)).isEmpty();
        assertThat(outbox.get(id)).isEmpty();
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.UNKNOWN);
        assertThat(outbox.discard(id)).isFalse();
        assertKnown("k");
        assertNothingDue();
        assertThat(count("SELECT length(body) + length(headers) + length(history) FROM exactly_once_outbox"))
                .isZero();
        letPass(WINDOW.plus(TICK));
        assertThat(outbox.purge(WINDOW, 10)).isEqualTo(1);
    }

    @Test
    void anEntryThatWasReplayedOrDiedAnewSinceItWasReadIsNotMoved() throws Exception {
        String id = deadLetter("k");
        DeadLetter read = outbox.get(id).orElseThrow();
        outbox.replay(id, Optional.empty());
        assertThat(outbox.moved(read)).isFalse();
        letPass(TICK);
        settle(dead(claimOne()));
        assertThat(outbox.moved(read)).isFalse();
        assertThat(outbox.moved(outbox.get(id).orElseThrow())).isTrue();
        assertThat(outbox.replay(id, Optional.empty())).isEqualTo(Replay.UNKNOWN);
    }

    @Test
    void anEntryComesBackAsItLeft() throws Exception {
        ClaimedEvent claimed = claimed("k");
        Instant first = now();
        Optional<Instant> notBefore = Optional.of(now().plusSeconds(300));
        settle(new AttemptResult.Exhausted(claimed, attempt(claimed, "503\t"), "503", notBefore));
        DeadLetter letter = outbox.list(DeadLetters.Filter.ALL).get(0);
        outbox.moved(letter);
        letPass(Duration.ofMinutes(1));
        assertThat(outbox.restore(letter, Optional.of(WINDOW))).isEqualTo(Replay.REPLAYED);
        assertNothingDue();
        letPass(Duration.ofMinutes(4));
        ClaimedEvent restored = claimOne();
        assertSame(restored.event(), event("crm", "k"));
        assertThat(restored.attempt()).isEqualTo(1);
        assertThat(restored.roundBegan()).isEqualTo(now());
        settle(dead(restored));

        DeadLetter again = outbox.list(DeadLetters.Filter.ALL).get(0);
        assertThat(again.attempts()).extracting(Attempt::outcome).containsExactly("503\t", "404");
        assertThat(again.firstAttempt()).contains(first);
        assertThat(again.replayed()).contains(first.plusSeconds(60));
        letPass(WINDOW);
        assertThat(outbox.purge(Duration.ofSeconds(1), 10)).isZero();
    }

    @Test
    void anEntryOfAnotherOutboxIsRestoredOnceAndAKeyThatIsHereStaysAsItIs() throws Exception {
        Instant since = now();
        DeadLetter foreign = new DeadLetter(
                "1-1",
                event("crm", "k"),
                List.of(),
                "404",
                Optional.of(since),
                since,
                Optional.empty(),
                Optional.empty());
        letPass(WINDOW.plus(TICK));
        assertThat(outbox.restore(foreign, Optional.of(WINDOW))).isEqualTo(Replay.NEEDS_FORCE);
        assertNothingDue();
        assertThat(outbox.restore(foreign, Optional.empty())).isEqualTo(Replay.REPLAYED);
        assertThat(outbox.restore(foreign, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);

        ClaimedEvent restored = claimOne();
        assertSame(restored.event(), foreign.event());
        assertThat(outbox.restore(foreign, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        settle(dead(restored));
        assertThat(outbox.restore(foreign, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        assertThat(keys(DeadLetters.Filter.ALL)).containsExactly("k");
        outbox.replay(Long.toString(restored.id()), Optional.empty());
        settle(delivered(claimOne()));
        assertThat(outbox.restore(foreign, Optional.empty())).isEqualTo(Replay.ALREADY_REPLAYED);
        assertNothingDue();
    }

    @Test
    void rowsThatAreDoneArePurgedAfterTheirRetentionInBatches() throws Exception {
        Duration retention = Duration.ofHours(24);
        putWaiting("waiting");
        deadLetter("dead");
        for (int i = 0; i < 5; i++) {
            settle(delivered(claimed("done" + i)));
        }
        outbox.discard(deadLetter("discarded"));
        letPass(retention);
        settle(delivered(claimed("young")));
        assertThat(outbox.purge(retention, 100)).isZero();
        letPass(TICK);

        assertThat(outbox.purge(retention, 4)).isEqualTo(4);
        assertThat(outbox.purge(retention, 4)).isEqualTo(2);
        assertThat(outbox.purge(retention, 4)).isZero();
        assertThat(count("SELECT count(*) FROM exactly_once_outbox")).isEqualTo(3);
        putWaiting("done0");
        assertKnown("young");
    }

    @Test
    void eventsOfUndeclaredEndpointsAreCounted() {
        putWaiting("waiting");
        claimed("claimed");
        deadLetter("dead");
        settle(delivered(claimed("done")));
        outbox.enqueue(event("erp", "k"), Optional.empty());

        assertThat(outbox.countUndeclared(List.of())).isEqualTo(3);
        assertThat(outbox.countUndeclared(List.of("erp"))).isEqualTo(2);
        assertThat(outbox.countUndeclared(List.of("crm", "erp"))).isZero();
    }

    @Test
    void aDisabledEndpointStaysSoForAllReplicasUntilItIsEnabled() {
        assertThat(outbox.disabled()).isEmpty();
        outbox.disable("crm", "410");
        outbox.disable("crm", "by hand");
        reopen();
        assertThat(outbox.disabled()).isEqualTo(Map.of("crm", "410"));

        assertThat(outbox.enable("crm")).isTrue();
        assertThat(outbox.enable("crm")).isFalse();
        reopen();
        assertThat(outbox.disabled()).isEmpty();
    }

    @Test
    void everythingSurvivesAReopening() throws Exception {
        putWaiting("waiting");
        ClaimedEvent claimed = claimed("claimed");
        String id = deadLetter("dead");
        settle(delivered(claimed("done")));
        reopen();

        assertThat(keys(DeadLetters.Filter.ALL)).containsExactly("dead");
        assertThat(outbox.get(id)).isPresent();
        assertKnown("done");
        assertThat(claimOne().event().key().value()).isEqualTo("waiting");
        assertThat(settle(delivered(claimed))).isTrue();
    }

    @Test
    void anOutageIsReportedByEveryOperation() throws Exception {
        ClaimedEvent claimed = claimed("k");
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DROP TABLE exactly_once_outbox");
            statement.executeUpdate("DROP TABLE exactly_once_endpoint");
        }
        List<ThrowingCallable> operations = List.of(
                () -> outbox.enqueue(event("crm", "other"), Optional.of(LEASE)),
                () -> outbox.due(),
                () -> outbox.claim("crm", 1, LEASE),
                () -> outbox.renew(claimed, LEASE),
                () -> settle(delivered(claimed)),
                () -> outbox.disable("crm", "410"),
                () -> outbox.enable("crm"),
                () -> outbox.disabled(),
                () -> outbox.list(DeadLetters.Filter.ALL),
                () -> outbox.get("1"),
                () -> outbox.replay("1", Optional.empty()),
                () -> outbox.discard("1"),
                () -> outbox.countUndeclared(List.of()),
                () -> outbox.purge(WINDOW, 1));

        for (ThrowingCallable operation : operations) {
            assertThatThrownBy(operation).isInstanceOf(OutboxUnavailableException.class);
        }
    }
}
