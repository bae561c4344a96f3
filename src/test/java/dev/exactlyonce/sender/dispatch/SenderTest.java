package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.CircuitState;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.Endpoint.Guarantee;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.WebhookEvent;
import dev.exactlyonce.sender.WebhookSender.Sent;
import dev.exactlyonce.sender.dispatch.HookServer.Reply;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.sql.SqlOutbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole sending side but its loop, over a real file and real HTTP; the test looks into the outbox when it likes. */
class SenderTest {
    /** How long the file may take is not the question here. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private static final RetryBudget EXACT = new RetryBudget(RetryBudget.DEFAULT.delays(), 0, Duration.ofMinutes(10));

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private final List<SenderEvent> reported = new CopyOnWriteArrayList<>();
    private final List<Dispatcher> running = new ArrayList<>();
    private HookServer receiver;
    private Outbox outbox;

    @BeforeEach
    void open() throws Exception {
        receiver = HookServer.start();
        outbox = outbox();
    }

    @AfterEach
    void close() {
        running.forEach(Dispatcher::close);
        outbox.close();
        receiver.close();
    }

    private Outbox outbox() {
        return SqlOutbox.sqlite(new SqliteSettings(folder.resolve("outbox.db"), PATIENT), clock);
    }

    private Endpoint crm() {
        return endpoint("crm", receiver.url(), EXACT, Guarantee.AT_LEAST_ONCE, BreakerPolicy.NONE);
    }

    private static Endpoint endpoint(
            String name, URI url, RetryBudget budget, Guarantee guarantee, BreakerPolicy breaker) {
        return Endpoint.builder(name, url)
                .secret("a-secret-of-16-chars")
                .budget(budget)
                .guarantee(guarantee)
                .breaker(breaker)
                .allowPrivate(true)
                .maxBodySize(1000)
                .concurrency(2)
                .build();
    }

    private Dispatcher dispatcher(Endpoint... endpoints) {
        return dispatcher(clock, endpoints);
    }

    private Dispatcher dispatcher(InstantSource wall, Endpoint... endpoints) {
        Dispatcher dispatcher = new Dispatcher(new SenderBuilder(SenderSettings.of(List.of(endpoints)))
                .outbox(outbox)
                .transport(new ApacheTransport())
                .circuits(PolicyCircuitBreaker.factory(clock))
                .listener(reported::add)
                .clock(wall)
                .nanoTime(clock)
                .random(() -> 0));
        running.add(dispatcher);
        return dispatcher;
    }

    private static Sent send(Dispatcher dispatcher, Endpoint endpoint, String key) {
        return new OutboxSender(SenderSettings.of(List.of(endpoint)), dispatcher)
                .send(endpoint.name(), WebhookEvent.json(new EventKey(key), Map.of("n", 1)));
    }

    /** Looks often: a test of many steps waits for each. */
    private static ConditionFactory eventually() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    private DeadLetters letters() {
        return new OutboxDeadLetters(outbox, Duration.ofHours(24), () -> {});
    }

    private <T extends SenderEvent> List<T> reported(Class<T> type) {
        return reported.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private void awaitReported(Class<? extends SenderEvent> type, int times) {
        eventually().until(() -> reported(type).size() == times);
    }

    /** Looks into the outbox and waits until what was due is written down, in as many lines. */
    private void tick(Dispatcher dispatcher, int outcomes) {
        int before = reported.size();
        dispatcher.tick();
        eventually().until(() -> reported.size() == before + outcomes);
    }

    @Test
    void anEventIsAttemptedAtOnceAndSignedWithItsKey() {
        send(dispatcher(crm()), crm(), "order-17");

        awaitReported(SenderEvent.Delivered.class, 1);
        assertThat(receiver.requests()).singleElement().satisfies(it -> {
            assertThat(it.body()).isEqualTo("{\"n\":1}");
            assertThat(it.key()).isEqualTo("order-17");
            assertThat(it.header("Webhook-id")).isEqualTo("order-17");
            assertThat(it.header("Webhook-signature")).startsWith("v1,");
            assertThat(it.header("X-signature-256")).startsWith("sha256=");
            assertThat(it.header("Content-type")).isEqualTo("application/json");
        });
        assertThat(outbox.due()).isEmpty();
    }

    @Test
    void aWallClockThatIsSetNeitherEndsARoundOfAttemptsNorProlongsIt() {
        AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);
        receiver.answering(any -> Reply.of(500));
        Dispatcher dispatcher = dispatcher(() -> clock.instant().plus(set.get()), crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.Retrying.class, 1);

        set.set(Duration.ofDays(2));
        clock.pass(Duration.ofSeconds(1));
        tick(dispatcher, 1);
        assertThat(receiver.requests()).hasSize(2);
        assertThat(reported(SenderEvent.DeadLettered.class)).isEmpty();

        set.set(Duration.ofHours(-6));
        clock.pass(EXACT.deadline());
        tick(dispatcher, 1);
        assertThat(receiver.requests()).hasSize(2);
        assertThat(letters().list(DeadLetters.Filter.ALL))
                .singleElement()
                .satisfies(it -> assertThat(it.error()).isEqualTo("deadline"));
    }

    @Test
    void theScheduleIsZeroOneSixThirtySixSecondsAndThenTheDeadLetterQueue() {
        List<Duration> times = new CopyOnWriteArrayList<>();
        receiver.answering(any -> {
            times.add(clock.passed());
            return Reply.of(500);
        });
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.Retrying.class, 1);

        for (int second = 1; second <= 60; second++) {
            clock.pass(Duration.ofMillis(999));
            assertThat(outbox.due()).isEmpty();
            clock.pass(Duration.ofMillis(1));
            tick(dispatcher, outbox.due().size());
        }

        assertThat(times)
                .containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(36));
        assertThat(letters().list(DeadLetters.Filter.ALL)).singleElement().satisfies(it -> {
            assertThat(it.error()).isEqualTo("500");
            assertThat(it.attempts()).extracting(Attempt::outcome).containsExactly("500", "500", "500", "500");
            assertThat(it.attempts()).extracting(Attempt::number).containsExactly(1, 2, 3, 4);
            assertThat(it.body()).asString().isEqualTo("{\"n\":1}");
        });
    }

    @Test
    void everyAttemptHasTheSameKeyAndBytesAndATimestampOfItsOwn() {
        receiver.answering(503);
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.Retrying.class, 1);
        clock.pass(Duration.ofSeconds(1));
        tick(dispatcher, 1);

        assertThat(receiver.requests()).hasSize(2);
        assertThat(receiver.requests()).extracting(HookServer.Request::key).containsOnly("order-17");
        assertThat(receiver.requests()).extracting(HookServer.Request::body).containsOnly("{\"n\":1}");
        assertThat(receiver.requests())
                .extracting(it -> it.header("Webhook-timestamp"))
                .doesNotHaveDuplicates();
    }

    @Test
    void aKeyThatTheOutboxHoldsOrHasDeliveredIsNotSentAgain() {
        Dispatcher dispatcher = dispatcher(crm());

        assertThat(send(dispatcher, crm(), "order-17")).isEqualTo(Sent.QUEUED);
        awaitReported(SenderEvent.Delivered.class, 1);
        assertThat(send(dispatcher, crm(), "order-17")).isEqualTo(Sent.KNOWN);
        assertThat(send(dispatcher, crm(), "order-18")).isEqualTo(Sent.QUEUED);
        awaitReported(SenderEvent.Delivered.class, 2);

        assertThat(receiver.requests()).extracting(HookServer.Request::key).containsExactly("order-17", "order-18");
    }

    @Test
    void aReceiverThatAsksForMoreTimeGetsItAndNotLess() {
        receiver.answering(any -> Reply.of(429, "7"));
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.Retrying.class, 1);

        clock.pass(Duration.ofMillis(6_999));
        assertThat(outbox.due()).isEmpty();
        clock.pass(Duration.ofMillis(1));
        assertThat(outbox.due()).containsExactly("crm");
    }

    @Test
    void aReceiverThatAsksForTooMuchTimeGetsItFromTheDeadLetterQueue() {
        receiver.answering(any -> Reply.of(503, "121"));
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.DeadLettered.class, 1);
        DeadLetter letter = letters().list(DeadLetters.Filter.ALL).get(0);
        receiver.answering(200);

        assertThat(letter.notBefore()).contains(SettableClock.START.plusSeconds(121));
        assertThat(letters().replay(letter.id(), false)).isEqualTo(Replay.REPLAYED);
        clock.pass(Duration.ofMinutes(2));
        assertThat(outbox.due()).isEmpty();
        clock.pass(Duration.ofSeconds(1));
        tick(dispatcher, 1);
        assertThat(reported(SenderEvent.Delivered.class)).hasSize(1);
    }

    @Test
    void anAttemptThatWouldBeginPastTheDeadlineIsNotMade() {
        Endpoint hasty = endpoint(
                "crm",
                receiver.answering(500).url(),
                new RetryBudget(EXACT.delays(), 0, Duration.ofSeconds(10)),
                Guarantee.AT_LEAST_ONCE,
                BreakerPolicy.NONE);
        Dispatcher dispatcher = dispatcher(hasty);
        send(dispatcher, hasty, "order-17");
        awaitReported(SenderEvent.Retrying.class, 1);
        clock.pass(Duration.ofSeconds(1));
        tick(dispatcher, 1);
        clock.pass(Duration.ofSeconds(5));
        tick(dispatcher, 1); // the next one would be at 36 s

        assertThat(reported(SenderEvent.DeadLettered.class)).hasSize(1);
        assertThat(receiver.requests()).hasSize(3);
    }

    @Test
    void anEndpointThatIsGoneGetsNothingMoreUntilItIsEnabled() {
        receiver.answering(410);
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.DeadLettered.class, 1);
        assertThat(reported(SenderEvent.Disabled.class)).hasSize(1);
        assertThat(dispatcher.states()).containsEntry("crm", "disabled");

        receiver.answering(200);
        send(dispatcher, crm(), "order-18");
        awaitReported(SenderEvent.DeadLettered.class, 2);
        assertThat(receiver.requests()).hasSize(1);

        outbox.enable("crm");
        letters().replayAll(DeadLetters.Filter.ALL, false);
        tick(dispatcher, 2);
        assertThat(reported(SenderEvent.Delivered.class)).hasSize(2);
    }

    @Test
    void aReplicaThatStartsLaterKnowsWhichEndpointsAreGone() {
        outbox.disable("crm", "410");
        Dispatcher dispatcher = dispatcher(crm());
        outbox.enqueue(event("order-17"), Optional.empty());

        tick(dispatcher, 1);

        assertThat(reported(SenderEvent.DeadLettered.class)).hasSize(1);
        assertThat(receiver.requests()).isEmpty();
    }

    private static OutgoingEvent event(String key) {
        return new OutgoingEvent("crm", new EventKey(key), Map.of("content-type", "text/plain"), new byte[] {'x'});
    }

    @Test
    void aCrashDuringAnAttemptCountsItAndTheNextOneFollowsWhenItsClaimEnds() {
        outbox.enqueue(event("order-17"), Optional.of(Dispatcher.LEASE)); // by a replica that has crashed
        Dispatcher dispatcher = dispatcher(crm());

        clock.pass(Dispatcher.LEASE.minusMillis(1));
        assertThat(outbox.due()).isEmpty();
        clock.pass(Duration.ofMillis(1));
        tick(dispatcher, 1);

        assertThat(reported(SenderEvent.Delivered.class))
                .containsExactly(new SenderEvent.Delivered("crm", new EventKey("order-17"), 2));
    }

    @Test
    void anEventWhoseEveryAttemptCrashesIsDeadLettered() {
        outbox.enqueue(event("order-17"), Optional.of(Dispatcher.LEASE));
        for (int attempt = 2; attempt <= 4; attempt++) {
            clock.pass(Dispatcher.LEASE);
            assertThat(outbox.claim("crm", 10, Dispatcher.LEASE)).hasSize(1);
        }
        clock.pass(Dispatcher.LEASE);
        tick(dispatcher(crm()), 1);

        assertThat(letters().list(DeadLetters.Filter.ALL))
                .singleElement()
                .satisfies(it -> assertThat(it.error()).isEqualTo("the last attempt was interrupted"));
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void anEventThatMayBeLostIsAttemptedOnceAndLeavesNoDeadLetter() {
        receiver.answering(500);
        Endpoint lossy = endpoint("crm", receiver.url(), EXACT, Guarantee.AT_MOST_ONCE, BreakerPolicy.NONE);
        Dispatcher dispatcher = dispatcher(lossy);
        send(dispatcher, lossy, "order-17");
        awaitReported(SenderEvent.Dropped.class, 1);

        clock.pass(Duration.ofHours(1));
        dispatcher.tick();
        assertThat(outbox.due()).isEmpty();
        assertThat(receiver.requests()).hasSize(1);
        assertThat(letters().list(DeadLetters.Filter.ALL)).isEmpty();
    }

    @Test
    void anEventThatMayBeLostIsNotSentAgainAfterACrash() {
        Endpoint lossy = endpoint("crm", receiver.url(), EXACT, Guarantee.AT_MOST_ONCE, BreakerPolicy.NONE);
        outbox.enqueue(event("order-17"), Optional.of(Dispatcher.LEASE)); // it may have been sent
        clock.pass(Dispatcher.LEASE);

        tick(dispatcher(lossy), 1);

        assertThat(reported(SenderEvent.Dropped.class)).hasSize(1);
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void anEndpointThatHangsDelaysNoOther() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (HookServer hanging = HookServer.start()) {
            hanging.answering(any -> {
                awaitQuietly(end);
                return Reply.of(200);
            });
            Endpoint dead = endpoint("dead", hanging.url(), EXACT, Guarantee.AT_LEAST_ONCE, BreakerPolicy.NONE);
            Dispatcher dispatcher = dispatcher(dead, crm());
            for (int i = 0; i < 100; i++) {
                send(dispatcher, dead, "dead-" + i);
            }
            for (int i = 0; i < 20; i++) {
                send(dispatcher, crm(), "order-" + i);
            }
            eventually().until(() -> {
                dispatcher.tick(); // for those that found no free place
                return reported(SenderEvent.Delivered.class).size() == 20;
            });
            assertThat(reported(SenderEvent.Delivered.class))
                    .allMatch(it -> it.endpoint().equals("crm"));

            end.countDown();
            eventually().until(() -> {
                dispatcher.tick();
                return reported(SenderEvent.Delivered.class).size() == 120;
            });
            assertThat(hanging.requests().stream().map(HookServer.Request::key).distinct())
                    .hasSize(100);
            assertThat(hanging.requests()).hasSize(100);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anOpenCircuitSpendsNoAttemptAndClosesByOneProbe() {
        receiver.answering(500);
        Endpoint guarded = endpoint(
                "crm",
                receiver.url(),
                new RetryBudget(List.of(), 0, Duration.ofMinutes(10)),
                Guarantee.AT_LEAST_ONCE,
                BreakerPolicy.FAILURES);
        Dispatcher dispatcher = dispatcher(guarded);
        for (int i = 0; i < 10; i++) {
            send(dispatcher, guarded, "order-" + i);
        }
        awaitReported(SenderEvent.DeadLettered.class, 10);
        send(dispatcher, guarded, "order-10");
        awaitReported(SenderEvent.DeadLettered.class, 11);

        assertThat(receiver.requests()).hasSize(10);
        assertThat(dispatcher.states()).containsEntry("crm", "open");
        assertThat(letters().list(DeadLetters.Filter.ALL).get(10)).satisfies(it -> {
            assertThat(it.error()).isEqualTo(AttemptExecutor.CIRCUIT_OPEN);
            assertThat(it.attempts()).isEmpty();
        });

        receiver.answering(200);
        clock.pass(Duration.ofMinutes(5));
        letters().replayAll(DeadLetters.Filter.ALL, false);
        eventually().until(() -> {
            clock.pass(Duration.ofSeconds(1)); // those that wait for the probe
            dispatcher.tick();
            return reported(SenderEvent.Delivered.class).size() == 11;
        });
        assertThat(reported(SenderEvent.CircuitChanged.class))
                .extracting(SenderEvent.CircuitChanged::state)
                .containsExactly(CircuitState.OPEN, CircuitState.HALF_OPEN, CircuitState.CLOSED);
        assertThat(receiver.requests()).hasSize(21);
    }

    @Test
    void aReplayKeepsKeyAndBytesIsSignedAnewAndIsDoneOnce() {
        receiver.answering(400);
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.DeadLettered.class, 1);
        String id = letters().list(DeadLetters.Filter.ALL).get(0).id();
        receiver.answering(200);
        clock.pass(Duration.ofHours(1));

        assertThat(letters().replay(id, false)).isEqualTo(Replay.REPLAYED);
        assertThat(letters().replay(id, false)).isEqualTo(Replay.ALREADY_REPLAYED);
        tick(dispatcher, 1);

        assertThat(receiver.requests()).hasSize(2);
        HookServer.Request first = receiver.requests().get(0);
        HookServer.Request second = receiver.requests().get(1);
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(Long.parseLong(second.header("Webhook-timestamp")))
                .isEqualTo(Long.parseLong(first.header("Webhook-timestamp")) + 3600);
        assertThat(letters().list(DeadLetters.Filter.ALL)).isEmpty();
    }

    @Test
    void anEntryOlderThanTheReplayWindowNeedsForce() {
        receiver.answering(400);
        Dispatcher dispatcher = dispatcher(crm());
        send(dispatcher, crm(), "order-17");
        awaitReported(SenderEvent.DeadLettered.class, 1);
        String id = letters().list(DeadLetters.Filter.ALL).get(0).id();
        clock.pass(Duration.ofHours(24).plusMillis(1));

        assertThat(letters().replay(id, false)).isEqualTo(Replay.NEEDS_FORCE);
        assertThat(letters().replayAll(DeadLetters.Filter.ALL, false)).isEqualTo(new DeadLetters.ReplaySummary(0, 1));
        assertThat(letters().replay(id, true)).isEqualTo(Replay.REPLAYED);
    }

    @Test
    void replayAllTakesEveryPageAndOnlyTheEndpointThatIsMeant() {
        Stream.concat(
                        IntStream.range(0, 2_500).mapToObj(i -> event("order-" + i)),
                        Stream.of(new OutgoingEvent("shop", new EventKey("s"), Map.of(), new byte[0])))
                .forEach(it -> outbox.enqueue(it, Optional.empty()));
        for (String name : List.of("crm", "shop")) {
            outbox.settle(outbox.claim(name, 5_000, Dispatcher.LEASE).stream()
                    .<AttemptResult>map(
                            it -> new AttemptResult.Exhausted(it, Optional.empty(), "test", Optional.empty()))
                    .toList());
        }

        assertThat(letters().replayAll(DeadLetters.Filter.ALL.ofEndpoint("crm"), false))
                .isEqualTo(new DeadLetters.ReplaySummary(2_500, 0));
        assertThat(letters().list(DeadLetters.Filter.ALL))
                .extracting(DeadLetter::endpoint)
                .containsExactly("shop");
    }

    @Test
    void whatIsNotAttemptedWhenTheSenderStopsIsFreeAtOnceForAnother() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        receiver.answering(any -> {
            awaitQuietly(end);
            return Reply.of(200);
        });
        Dispatcher stopping = dispatcher(crm());
        for (int i = 0; i < 10; i++) {
            send(stopping, crm(), "order-" + i);
        }
        eventually().until(() -> receiver.requests().size() == 2);
        Thread stop = new Thread(stopping::close);
        stop.start();
        eventually().until(() -> outbox.due().contains("crm"));
        end.countDown();
        stop.join();

        assertThat(reported(SenderEvent.Delivered.class)).hasSize(2);
        tick(dispatcher(crm()), 8);
        assertThat(reported(SenderEvent.Delivered.class)).hasSize(10).allMatch(it -> it.attempt() == 1);
    }

    @Test
    void anEventThatCouldNeverBeSentIsRefusedBeforeItIsKept() {
        Dispatcher dispatcher = dispatcher(crm());
        OutboxSender sender = new OutboxSender(SenderSettings.of(List.of(crm())), dispatcher);
        EventKey key = new EventKey("order-17");

        assertThatThrownBy(() -> sender.send("shop", WebhookEvent.json(key, Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exactlyonce.sender.endpoints");
        assertThatThrownBy(() -> sender.send("crm", WebhookEvent.bytes(key, new byte[1001], "text/plain")))
                .hasMessageContaining("takes at most 1000");
        assertThat(outbox.due()).isEmpty();
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        reported.add(new SenderEvent.Disabled("listener is there"));
        Dispatcher dispatcher = new Dispatcher(new SenderBuilder(SenderSettings.of(List.of(crm())))
                .outbox(outbox)
                .transport(new ApacheTransport())
                .circuits(PolicyCircuitBreaker.factory(clock))
                .listener(event -> {
                    reported.add(event);
                    throw new IllegalStateException("broken");
                })
                .clock(clock)
                .nanoTime(clock)
                .random(() -> 0));
        running.add(dispatcher);
        send(dispatcher, crm(), "order-1");
        send(dispatcher, crm(), "order-2");

        awaitReported(SenderEvent.Delivered.class, 2);
    }

    @Test
    void aResultThatCannotBeWrittenIsWrittenOnceTheOutboxIsBack() {
        receiver.answering(any -> {
            outbox.close(); // between the attempt and its outcome
            return Reply.of(200);
        });
        send(dispatcher(crm()), crm(), "order-17");
        eventually().until(() -> receiver.requests().size() == 1);
        running.forEach(Dispatcher::close);
        running.clear();
        outbox = outbox();
        receiver.answering(200);
        clock.pass(Dispatcher.LEASE);

        tick(dispatcher(crm()), 1);

        assertThat(receiver.requests()).hasSize(2);
        assertThat(receiver.requests()).extracting(HookServer.Request::key).containsOnly("order-17");
    }
}
