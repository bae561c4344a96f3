package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An error at each call of each port, one after the other: wherever it strikes, nothing counts as running afterwards, and
 * the key of every delivery is free, or recorded, once its lease has ended.
 */
class ErrorsTest {
    private static final Duration TICK = Replica.LEASE.dividedBy(3);
    private static final List<String> KEYS = List.of(
            "success",
            "failure",
            "stage",
            "failed-stage",
            "lost",
            "two-success",
            "two-failure",
            "two-stage",
            "two-refused",
            "body",
            "other body",
            "third body");

    private enum Port {
        STORE_BEFORE,
        STORE_AFTER,
        LISTENER,
        HANDLER,
        TICKER,
        EXECUTOR
    }

    private final SettableClock time = new SettableClock();
    private final Replica replica = new Replica(new MemoryStore(10_000, time, evicted -> {}), time);
    private final AdmissionEngine engine = new AdmissionEngine(
            new BreakingStore(replica.guard),
            new AdmissionEngine.Limits(100, Replica.MAX_HOLD),
            event -> call(Port.LISTENER, () -> true),
            () -> call(Port.TICKER, time::getAsLong),
            action -> call(Port.EXECUTOR, () -> {
                action.run();
                return true;
            }));

    private Port breaking = Port.LISTENER;
    private int callsLeft = Integer.MAX_VALUE;
    private boolean isBroken;

    private <T> T call(Port port, Supplier<T> call) {
        boolean breaksAfter = port == Port.STORE_BEFORE && breaking == Port.STORE_AFTER && --callsLeft == 0;
        if (port == breaking && --callsLeft == 0) {
            throw broken();
        }
        T answer = call.get();
        if (breaksAfter) {
            throw broken();
        }
        return answer;
    }

    private Error broken() {
        isBroken = true;
        return new NoClassDefFoundError("injected");
    }

    private final class BreakingStore implements GuardedStore {
        private final GuardedStore store;

        BreakingStore(GuardedStore store) {
            this.store = store;
        }

        private void run(Runnable operation) {
            boolean unused = call(Port.STORE_BEFORE, () -> {
                operation.run();
                return true;
            });
        }

        @Override
        public Reservation reserve(Claim claim) {
            return call(Port.STORE_BEFORE, () -> store.reserve(claim));
        }

        @Override
        public Optional<Reservation> find(DeliveryKey key) {
            return call(Port.STORE_BEFORE, () -> store.find(key));
        }

        @Override
        public List<Renewal> renewAll(List<Claim> claims) {
            return call(Port.STORE_BEFORE, () -> store.renewAll(claims));
        }

        @Override
        public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
            return call(Port.STORE_BEFORE, () -> store.record(claim, answer, ttl));
        }

        @Override
        public boolean release(Claim claim) {
            return call(Port.STORE_BEFORE, () -> store.release(claim));
        }

        @Override
        public void releaseLater(Claim claim) {
            run(() -> store.releaseLater(claim));
        }

        @Override
        public void abandon(Claim claim) {
            run(() -> store.abandon(claim));
        }

        @Override
        public void probe() {
            run(store::probe);
        }

        @Override
        public void close() {
            store.close();
        }

        @Override
        public boolean isShared(Claim claim) {
            return call(Port.STORE_BEFORE, () -> store.isShared(claim));
        }
    }

    private void deliver(String id, Work.Body body) throws Exception {
        deliver(replica.delivery(id, "{}"), body);
    }

    private void deliver(PreparedDelivery delivery, Work.Body body) throws Exception {
        try {
            engine.admit(delivery, Work.of(lease -> {
                boolean unused = call(Port.HANDLER, () -> true);
                return body.run(lease);
            }));
        } catch (Work.Failed | NoClassDefFoundError expected) { // what became of it is asked later
        }
    }

    private void tick() {
        try {
            engine.renewLeases(TICK);
        } catch (NoClassDefFoundError expected) { // the thread that calls it goes on
        }
    }

    private void pass(Duration span) {
        for (Duration passed = Duration.ZERO; passed.compareTo(span) < 0; passed = passed.plus(TICK)) {
            time.advance(TICK);
            tick();
        }
    }

    /** Every kind of end, with renewals in between and a loss. */
    private void story() throws Exception {
        deliver("success", lease -> {
            pass(Replica.LEASE);
            return 200;
        });
        deliver("failure", lease -> {
            throw new Work.Failed(500);
        });
        CompletableFuture<Object> stage = new CompletableFuture<>();
        CompletableFuture<Object> failed = new CompletableFuture<>();
        deliver("stage", lease -> stage);
        deliver("failed-stage", lease -> failed);
        pass(Replica.LEASE);
        stage.complete(200);
        failed.completeExceptionally(new Work.Failed(500));
        deliver("lost", lease -> {
            lease.onLost(() -> {});
            time.advance(Replica.LEASE);
            tick();
            return 200;
        });
        deliver("success", lease -> 200); // a duplicate
        CompletableFuture<Object> last = new CompletableFuture<>();
        deliver(withBody("two-stage", "third body"), lease -> last);
        deliver(withBody("two-success", "body"), lease -> {
            pass(Replica.LEASE);
            return 200;
        });
        deliver(withBody("two-failure", "other body"), lease -> {
            throw new Work.Failed(500);
        });
        deliver(withBody("two-refused", "body"), lease -> 200); // its body is a duplicate
        last.complete(200);
    }

    /** A delivery that claims a second key. */
    private PreparedDelivery withBody(String id, String bodyKey) throws Exception {
        PreparedDelivery own = replica.delivery(id, "{}");
        return new PreparedDelivery(
                own.source(),
                own.key(),
                own.fingerprint(),
                Optional.of(Replica.key(bodyKey)),
                Optional.empty(),
                Optional.empty());
    }

    private void assertThatNothingIsLeft() throws Exception {
        assertThat(engine.awaitQuiet(Duration.ZERO)).isTrue();
        pass(Replica.LEASE.plus(TICK));
        replica.guard.flushPending();
        for (String id : KEYS) {
            assertThat(engine.admit(replica.delivery(id, "{}"), Work.returning(200)))
                    .as(id)
                    .isInstanceOfAny(Admission.HandlerEnded.class, Admission.RecordedBefore.class);
        }
        assertThat(engine.awaitQuiet(Duration.ZERO)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anErrorAtAnyCallOfAPortLeavesNothingThatRunsAndNoKeyThatIsHeldPastItsLease(Port port) throws Exception {
        for (int n = 1; n < 1_000; n++) {
            ErrorsTest fresh = new ErrorsTest();
            fresh.breaking = port;
            fresh.callsLeft = n;
            fresh.story();
            boolean wasBroken = fresh.isBroken;
            fresh.callsLeft = Integer.MAX_VALUE;
            fresh.assertThatNothingIsLeft();
            if (!wasBroken) {
                assertThat(n).as("calls of the port").isGreaterThan(1);
                return;
            }
        }
        throw new AssertionError("the story has no end");
    }

    @Test
    void aStageThatTellsOfItsEndAndCannotBeFollowedEndsOnce() throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>() {
            @Override
            public <U> CompletableFuture<U> handle(
                    java.util.function.BiFunction<? super Object, Throwable, ? extends U> then) {
                U unused = then.apply(200, null);
                throw new NoClassDefFoundError("injected");
            }
        };
        deliver("stage", lease -> stage);
        deliver("other", lease -> {
            assertThat(engine.awaitQuiet(Duration.ZERO)).isFalse();
            return 200;
        });

        assertThat(engine.admit(replica.delivery("stage", "{}"), Work.returning(200)))
                .isInstanceOf(Admission.RecordedBefore.class);
    }
}
