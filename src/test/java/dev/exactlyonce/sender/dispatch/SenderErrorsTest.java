package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.RetryBudget;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderListener;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.spi.Transport;
import dev.exactlyonce.sender.spi.TransportResult;
import dev.exactlyonce.sender.sql.SqlOutbox;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An error at each of the first calls of each port, one after the other: every event is delivered all the same, no place
 * for another is lost, and the threads go on.
 */
@Timeout(120)
class SenderErrorsTest {
    private static final Duration SOON = Duration.ofMillis(5);
    private static final int CALLS = 8;
    private static final int THREADS = 2;
    private static final int PLACES = THREADS * 9;
    private static final Endpoint CRM = Endpoint.builder("crm", URI.create("http://127.0.0.1:1/hooks"))
            .secret("a-secret-of-16-chars")
            .budget(new RetryBudget(Collections.nCopies(20, Duration.ofSeconds(1)), 0, Duration.ofDays(1)))
            .allowPrivate(true)
            .maxBodySize(1000)
            .concurrency(THREADS)
            .build();

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();

    /** Its call of this number fails. */
    private static final class Faults {
        private final AtomicInteger callsLeft;

        Faults(int call) {
            this.callsLeft = new AtomicInteger(call);
        }

        void end() {
            callsLeft.set(0);
        }

        void call() {
            if (callsLeft.decrementAndGet() == 0) {
                throw new NoClassDefFoundError("injected");
            }
        }

        @SuppressWarnings("unchecked")
        <T> T before(Class<T> port, T real) {
            return (T) Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
                call();
                try {
                    return method.invoke(real, args);
                } catch (InvocationTargetException fault) {
                    throw fault.getCause();
                }
            });
        }
    }

    private SenderBuilder parts(Outbox outbox, String port, Faults faults) {
        Transport transport = (endpoint, headers, body) -> new TransportResult.Status(200, Optional.empty());
        SenderListener listener = event -> {
            if (event instanceof SenderEvent.Delivered it) {
                delivered.add(it.key().value());
            }
        };
        EndpointCircuitBreaker.Factory circuits = PolicyCircuitBreaker.factory(clock);
        return new SenderBuilder(SenderSettings.of(List.of(CRM)))
                .pause(SOON)
                .outbox(port.equals("outbox") ? faults.before(Outbox.class, outbox) : outbox)
                .transport(port.equals("transport") ? faults.before(Transport.class, transport) : transport)
                .circuits(
                        port.equals("circuit")
                                ? (endpoint, onChange) ->
                                        faults.before(EndpointCircuitBreaker.class, circuits.of(endpoint, onChange))
                                : circuits)
                .listener(
                        port.equals("listener")
                                ? event -> {
                                    listener.on(event);
                                    faults.call();
                                }
                                : listener)
                .clock(() -> {
                    if (port.equals("clock")) {
                        faults.call();
                    }
                    return clock.instant();
                })
                .nanoTime(() -> {
                    if (port.equals("ticker")) {
                        faults.call();
                    }
                    return clock.getAsLong();
                })
                .random(() -> 0);
    }

    private static void enqueue(Dispatcher dispatcher, String key) {
        while (true) {
            try {
                dispatcher.enqueue(new OutgoingEvent("crm", new EventKey(key), Map.of(), new byte[] {'x'}));
                return;
            } catch (NoClassDefFoundError injected) { // the caller tries again, under the same key
                assertThat(injected).hasMessage("injected");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox", "transport", "circuit", "listener", "clock", "ticker"})
    void anErrorAtAnyCallOfAPortLosesNoEventAndNoPlace(String port) {
        for (int call = 1; call <= CALLS; call++) {
            String which = port + ", call " + call;
            Faults faults = new Faults(call);
            delivered.clear();
            try (Outbox outbox = SqlOutbox.sqlite(
                            new SqliteSettings(folder.resolve(port + call + ".db"), SqliteSettings.DEFAULT_TIMEOUT),
                            clock);
                    Dispatcher dispatcher = new Dispatcher(parts(outbox, port, faults))) {
                for (int i = 0; i < 3; i++) {
                    enqueue(dispatcher, "order-" + i);
                }
                await().atMost(Duration.ofSeconds(60)).pollInterval(SOON).untilAsserted(() -> {
                    if (free(dispatcher) == PLACES) { // else an attempt runs, whose claim is not to end
                        clock.pass(Duration.ofSeconds(1));
                    }
                    tick(dispatcher);
                    assertThat(delivered).as(which).hasSize(3);
                });
                faults.end();
                await().pollInterval(SOON)
                        .untilAsserted(
                                () -> assertThat(free(dispatcher)).as(which).isEqualTo(PLACES));
            }
        }
    }

    private static int free(Dispatcher dispatcher) {
        EndpointWorker worker = dispatcher.workers().of("crm");
        int free = worker.take(Integer.MAX_VALUE);
        worker.release(free);
        return free;
    }

    private static void tick(Dispatcher dispatcher) {
        try {
            dispatcher.tick();
        } catch (NoClassDefFoundError injected) { // the loop goes on
            assertThat(injected).hasMessage("injected");
        }
    }

    @Test
    void theLoopOutlivesErrorsAndInterruptions() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Outbox outbox =
                SqlOutbox.sqlite(new SqliteSettings(folder.resolve("loop.db"), SqliteSettings.DEFAULT_TIMEOUT), clock);
        Outbox breaking = (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (proxy, method, args) -> {
                    if (method.getName().equals("due")) {
                        threads.add(Thread.currentThread());
                        if (threads.size() == 1) {
                            throw new NoClassDefFoundError("injected");
                        }
                        Thread.currentThread().interrupt();
                        return Set.of();
                    }
                    return method.invoke(outbox, args);
                });
        Faults none = new Faults(0);
        try (outbox;
                Dispatcher dispatcher = new Dispatcher(parts(breaking, "none", none));
                DispatchLoop loop = new DispatchLoop(dispatcher)) {
            assertThat(loop).isNotNull();
            await().until(() -> {
                clock.pass(Duration.ofSeconds(1));
                dispatcher.wakeUp().now();
                return threads.size() > 3;
            });
            assertThat(threads.stream().distinct()).hasSize(1);
        }
    }

    @Test
    void aPlaceWhoseThreadCannotBeStartedIsFreeAgain() {
        AtomicInteger starts = new AtomicInteger();
        EndpointWorker worker = new EndpointWorker(CRM, EndpointCircuitBreaker.NONE, task -> {
            if (starts.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("no thread");
            }
            return new Thread(task);
        });
        worker.take(1);
        assertThatThrownBy(() -> worker.run(() -> {})).isInstanceOf(NoClassDefFoundError.class);

        assertThat(worker.take(Integer.MAX_VALUE)).isEqualTo(PLACES);
    }

    @Test
    void anOutcomeThatIsWrittenIsNotWrittenAgainForWhatItsTellingThrows() {
        List<String> settled = new CopyOnWriteArrayList<>();
        List<String> reported = new CopyOnWriteArrayList<>();
        try (Outbox outbox = SqlOutbox.sqlite(
                new SqliteSettings(folder.resolve("reported.db"), SqliteSettings.DEFAULT_TIMEOUT), clock)) {
            Outbox counting = (Outbox) Proxy.newProxyInstance(
                    Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (proxy, method, args) -> {
                        ((List<?>) args[0]).forEach(it -> settled.add(key((AttemptResult) it)));
                        return method.invoke(outbox, args);
                    });
            ResultWriter writer = new ResultWriter(
                    counting,
                    it -> {
                        reported.add(key(it));
                        throw new NoClassDefFoundError("injected");
                    },
                    SOON);
            for (String key : List.of("order-1", "order-2")) {
                outbox.enqueue(new OutgoingEvent("crm", new EventKey(key), Map.of(), new byte[0]), Optional.empty());
            }
            outbox.claim("crm", 2, Dispatcher.LEASE)
                    .forEach(it -> writer.add(new AttemptResult.Succeeded(it, Optional.empty())));
            await().until(() -> reported.size() == 2);
            writer.close();
        }
        assertThat(settled).containsExactlyInAnyOrder("order-1", "order-2");
    }

    private static String key(AttemptResult result) {
        return result.event().event().key().value();
    }
}
