package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.WebhookSender.Sent;
import dev.exactlyonce.sender.dispatch.HookServer.Reply;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.CommitTrigger;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.spi.Transport;
import dev.exactlyonce.sender.spi.TransportResult;
import dev.exactlyonce.sender.sql.SqlOutbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slow receivers, long transactions, listeners and outboxes that fail: nothing stops, and no attempt is spent on it. */
@Timeout(60)
class SenderUnderStrainTest {
    private static final RetryBudget EXACT = new RetryBudget(RetryBudget.DEFAULT.delays(), 0, Duration.ofMinutes(10));
    private static final int THREADS = 2;
    private static final int PLACES = THREADS * 9;

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private final List<SenderEvent> reported = new CopyOnWriteArrayList<>();
    private HookServer receiver;
    private Outbox outbox;
    private Dispatcher dispatcher;

    @BeforeEach
    void open() throws Exception {
        receiver = HookServer.start();
        outbox = SqlOutbox.sqlite(
                new SqliteSettings(folder.resolve("outbox.db"), SqliteSettings.DEFAULT_TIMEOUT), clock);
        dispatcher = dispatcher(outbox, CommitTrigger.AT_ONCE, new ApacheTransport(), reported::add);
    }

    @AfterEach
    void close() {
        dispatcher.close();
        outbox.close();
        receiver.close();
    }

    private Dispatcher dispatcher(Outbox over, CommitTrigger commits, Transport transport, SenderListener listener) {
        return new Dispatcher(new SenderBuilder(SenderSettings.of(List.of(crm())))
                .pause(Duration.ofMillis(5))
                .outbox(over)
                .commits(commits)
                .transport(transport)
                .circuits((any, onChange) -> EndpointCircuitBreaker.NONE)
                .listener(listener)
                .clock(clock)
                .nanoTime(clock)
                .random(() -> 0));
    }

    private Endpoint crm() {
        return Endpoint.builder("crm", receiver.url())
                .secret("a-secret-of-16-chars")
                .budget(EXACT)
                .breaker(BreakerPolicy.NONE)
                .allowPrivate(true)
                .maxBodySize(1000)
                .concurrency(THREADS)
                .build();
    }

    private static OutgoingEvent event(String endpoint, String key) {
        return new OutgoingEvent(endpoint, new EventKey(key), Map.of(), new byte[] {'x'});
    }

    private static void send(Dispatcher dispatcher, String key) {
        assertThat(dispatcher.enqueue(event("crm", key))).isEqualTo(Sent.QUEUED);
    }

    private long delivered() {
        return reported.stream().filter(SenderEvent.Delivered.class::isInstance).count();
    }

    /** The same outbox, but that it is away for one of its operations, once. */
    private static Outbox awayOnce(Outbox outbox, String operation) {
        Semaphore outages = new Semaphore(1);
        return (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (proxy, method, args) -> {
                    if (method.getName().equals(operation) && outages.tryAcquire()) {
                        throw new OutboxUnavailableException("away");
                    }
                    try {
                        return method.invoke(outbox, args);
                    } catch (InvocationTargetException fault) {
                        throw fault.getCause();
                    }
                });
    }

    @Test
    void eventsThatWaitBehindSlowAttemptsKeepTheirClaimsAndSpendNoAttempt() {
        Semaphore answers = new Semaphore(0);
        receiver.answering(any -> {
            answers.acquireUninterruptibly();
            return Reply.of(200);
        });
        int events = 12;
        for (int i = 0; i < events; i++) {
            send(dispatcher, "order-" + i);
        }

        for (int done = 0; done < events; done += THREADS) {
            int running = done + THREADS;
            await().until(() -> receiver.requests().size() == running);
            for (int second = 0; second < 9; second++) {
                clock.pass(Duration.ofSeconds(1));
                dispatcher.tick();
            }
            answers.release(THREADS);
            await().until(() -> delivered() == running);
        }

        assertThat(reported)
                .hasSize(events)
                .allSatisfy(
                        it -> assertThat(((SenderEvent.Delivered) it).attempt()).isEqualTo(1));
    }

    @Test
    void aLongTransactionHoldsNoPlaceThatOtherEventsNeed() {
        boolean[] isOpen = {true};
        List<Consumer<Boolean>> ends = new ArrayList<>();
        Dispatcher joining = dispatcher(
                outbox,
                new CommitTrigger() {
                    @Override
                    public boolean arePending() {
                        return isOpen[0];
                    }

                    @Override
                    public void onEnd(Consumer<Boolean> then) {
                        ends.add(then);
                    }
                },
                new ApacheTransport(),
                reported::add);
        for (int i = 0; i < PLACES; i++) {
            send(joining, "batch-" + i);
        }
        isOpen[0] = false;

        send(joining, "order-17");

        await().until(() -> delivered() == 1);
        assertThat(reported)
                .extracting(it -> ((SenderEvent.Delivered) it).key().value())
                .containsExactly("order-17");
        ends.forEach(it -> it.accept(true));
        joining.tick();
        await().until(() -> delivered() == 1 + PLACES);
        joining.close();
    }

    @Test
    void aTransactionWhoseEndIsNotReportedLosesNoSlot() {
        boolean[] isOpen = {true};
        Dispatcher joining = dispatcher(
                outbox,
                new CommitTrigger() {
                    @Override
                    public boolean arePending() {
                        return isOpen[0];
                    }

                    @Override
                    public void onEnd(Consumer<Boolean> then) {
                        throw new IllegalStateException("marked for rollback");
                    }
                },
                new ApacheTransport(),
                reported::add);
        for (int i = 0; i <= PLACES; i++) {
            send(joining, "batch-" + i);
        }
        isOpen[0] = false;

        joining.tick();
        await().until(() -> delivered() == PLACES);
        joining.tick();
        await().until(() -> delivered() == PLACES + 1);
        joining.close();
    }

    @Test
    void aListenerWhoseClassesAreMissingDoesNotEndTheSettling() {
        Dispatcher telling = dispatcher(outbox, CommitTrigger.AT_ONCE, new ApacheTransport(), event -> {
            reported.add(event);
            throw new NoClassDefFoundError("of the observer");
        });

        for (int i = 1; i <= 3; i++) {
            int sent = i;
            send(telling, "order-" + i);
            await().until(() -> delivered() == sent);
        }
        telling.close();
    }

    @Test
    void anEndpointThatIsGoneWhileTheOutboxIsAwayHasItsOutcomeWritten() {
        receiver.answering(410);
        Dispatcher disabling =
                dispatcher(awayOnce(outbox, "disable"), CommitTrigger.AT_ONCE, new ApacheTransport(), reported::add);

        send(disabling, "order-17");

        await().until(() -> !outbox.list(DeadLetters.Filter.ALL).isEmpty());
        disabling.close();
    }

    @Test
    void anEventSentRightAfterItsEndpointWasEnabledIsSent() {
        outbox.disable("crm", "410");
        dispatcher.tick();

        assertThat(dispatcher.enable("crm")).isTrue();
        send(dispatcher, "order-17");

        await().until(() -> delivered() == 1);
    }

    @Test
    void moreRowsThanOneLookPurgesArePurgedByTheNextThatFollowsSoon() throws Exception {
        for (int i = 0; i < 250; i++) {
            outbox.enqueue(event("crm", "order-" + i), Optional.empty());
        }
        outbox.settle(outbox.claim("crm", 250, Dispatcher.LEASE).stream()
                .<AttemptResult>map(it -> new AttemptResult.Succeeded(it, Optional.empty()))
                .toList());
        clock.pass(SenderSettings.DEFAULT_RETENTION.plusSeconds(1));
        dispatcher.tick();

        clock.pass(Duration.ofMillis(100));
        dispatcher.wakeUp().await(Duration.ofDays(1)); // returns at once, or never
        dispatcher.tick();

        assertThat(outbox.purge(SenderSettings.DEFAULT_RETENTION, 1)).isZero();
    }

    @Test
    void eventsOfAnEndpointThatIsNotDeclaredAnyMoreAreReportedOnce() {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(Dispatcher.class.getName());
        log.addHandler(handler);
        try {
            outbox.enqueue(event("former", "order-17"), Optional.empty());
            dispatcher.tick();
            dispatcher.tick();
        } finally {
            log.removeHandler(handler);
        }

        assertThat(lines).filteredOn(it -> it.startsWith("EXON0730")).hasSize(1);
    }

    @Test
    void anAttemptThatRunsWhenTheSenderStopsIsNotInterrupted() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Transport slow = (endpoint, headers, body) -> {
            runs.countDown();
            try {
                end.await();
                return new TransportResult.Status(200, Optional.empty());
            } catch (InterruptedException e) {
                return new TransportResult.None(TransportResult.TransportFailure.DNS);
            }
        };
        Dispatcher stopping = dispatcher(outbox, CommitTrigger.AT_ONCE, slow, reported::add);
        send(stopping, "order-17");
        runs.await();
        Thread stop = new Thread(stopping::close);
        stop.start();
        await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
        end.countDown();
        stop.join();

        assertThat(delivered()).isEqualTo(1);
    }

    @Test
    void anEventSentWhileTheSenderStopsIsKept() {
        EndpointWorker worker = new EndpointWorker(crm(), EndpointCircuitBreaker.NONE);
        worker.take(1);
        await().until(() -> worker.close(0));

        assertThat(worker.run(() -> {})).isFalse();
        assertThat(worker.take(Integer.MAX_VALUE)).isEqualTo(PLACES);
    }

    @Test
    void eventsThatWaitInMemoryTakeNoMoreOfItThanMeant() {
        Endpoint large = Endpoint.builder("crm", receiver.url())
                .secret("a-secret-of-16-chars")
                .budget(EXACT)
                .breaker(BreakerPolicy.NONE)
                .allowPrivate(true)
                .maxBodySize(Endpoint.LARGEST_BODY)
                .build();

        assertThat(new EndpointWorker(large, EndpointCircuitBreaker.NONE).take(Integer.MAX_VALUE))
                .isEqualTo(Endpoint.DEFAULT_CONCURRENCY + 4);
    }

    @Test
    void aReceiverThatAsksForYearsDoesNotHideItsEventInTheOutbox() {
        receiver.answering(any -> Reply.of(503, "Sat, 01 Jan 2039 00:00:00 GMT"));
        send(dispatcher, "order-17");
        await().until(() -> !reported.isEmpty());
        DeadLetter letter = outbox.list(DeadLetters.Filter.ALL).get(0);

        assertThat(outbox.replay(letter.id(), Optional.empty())).isEqualTo(DeadLetters.Replay.REPLAYED);
        clock.pass(AttemptExecutor.LATEST_NOT_BEFORE);

        assertThat(outbox.due()).containsExactly("crm");
    }

    @Test
    void whatIsWantedAfterAWaitIsStillWantedInTheNext() throws Exception {
        WakeUp wakeUp = new WakeUp(clock);
        wakeUp.in(Duration.ofMillis(1500));
        clock.pass(Duration.ofMillis(500));
        wakeUp.await(Duration.ZERO);
        clock.pass(Duration.ofSeconds(1));

        wakeUp.await(Duration.ofDays(1)); // returns at once, or never
    }

    @Test
    void anOutcomeThatCanNeverBeWrittenHoldsUpNoOther() throws Exception {
        for (String key : List.of("bad", "order-1", "order-2")) {
            outbox.enqueue(event("crm", key), Optional.empty());
        }
        List<ClaimedEvent> claimed = outbox.claim("crm", 3, Dispatcher.LEASE);
        List<String> written = new CopyOnWriteArrayList<>();
        ResultWriter writer = new ResultWriter(
                outbox, it -> written.add(it.event().event().key().value()), Duration.ofMillis(5));

        for (ClaimedEvent it : claimed) {
            writer.add(
                    it.event().key().value().equals("bad")
                            ? new AttemptResult.Exhausted(
                                    it, Optional.empty(), "bad", Optional.of(java.time.Instant.MAX))
                            : new AttemptResult.Succeeded(it, Optional.empty()));
        }

        await().until(() -> written.size() == 2);
        writer.close();
    }

    @Test
    void aStopDoesNotWaitForTheNextTryOfAResultThatCouldNotBeWritten() throws Exception {
        outbox.enqueue(event("crm", "order-17"), Optional.empty());
        ClaimedEvent claimed = outbox.claim("crm", 1, Dispatcher.LEASE).get(0);
        CompletableFuture<Thread> writing = new CompletableFuture<>();
        Outbox away = (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (proxy, method, args) -> {
                    writing.complete(Thread.currentThread());
                    throw new OutboxUnavailableException("away");
                });
        ResultWriter writer = new ResultWriter(away, it -> {}, Duration.ofDays(1));
        writer.add(new AttemptResult.Succeeded(claimed, Optional.empty()));
        Thread thread = writing.get();

        writer.close();

        thread.join(); // not for a day
    }

    @Test
    void everyDeadLetterIsReportedToItsStoreOnceItIsWritten() {
        List<String> calls = new CopyOnWriteArrayList<>();
        Outbox counting = (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (proxy, method, args) -> {
                    calls.add(method.getName());
                    return method.invoke(outbox, args);
                });
        receiver.answering(400);
        Dispatcher dead = dispatcher(counting, CommitTrigger.AT_ONCE, new ApacheTransport(), reported::add);

        send(dead, "order-17");

        await().until(() -> calls.contains("added"));
        assertThat(calls.indexOf("settle")).isLessThan(calls.indexOf("added"));
        dead.close();
    }
}
