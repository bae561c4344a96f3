package dev.exactlyonce.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.admission.SwitchableStore;
import dev.exactlyonce.admission.SwitchableStore.Mode;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreCircuitBreakerTest {
    private final SwitchableStore store = new SwitchableStore(new MemoryStore(100, new SettableClock(), evicted -> {}));
    private final StoreCircuitBreaker bulkhead = new StoreCircuitBreaker(store);
    private final CountDownLatch silence = new CountDownLatch(1);
    private int number;

    private Claim claim() {
        DeliveryKey key = DeliveryKey.of("github", "POST /hooks", List.of("k" + number++));
        return Claim.fresh(key, Fingerprint.NONE, Duration.ofMinutes(1));
    }

    private void fail(int times) {
        store.set(Mode.FAILS_BEFORE);
        for (int i = 0; i < times; i++) {
            Claim claim = claim();
            assertThatThrownBy(() -> bulkhead.reserve(claim)).isInstanceOf(StoreUnavailableException.class);
        }
        store.set(Mode.WORKS);
    }

    /** As many callers as still wait for a silent store, who wait until the silence ends. */
    private List<CompletableFuture<Reservation>> waiting() {
        return IntStream.range(0, StoreCircuitBreaker.MOST_WAITING)
                .mapToObj(it -> {
                    int asked = store.calls().size();
                    Claim claim = claim();
                    CountDownLatch reached = new CountDownLatch(1);
                    store.beforeTheNextCall(() -> {
                        reached.countDown();
                        uninterruptibly(silence);
                    });
                    CompletableFuture<Reservation> answer = CompletableFuture.supplyAsync(
                            () -> bulkhead.reserve(claim), task -> new Thread(task).start());
                    await().until(() -> reached.getCount() == 0);
                    assertThat(store.calls()).hasSize(asked);
                    return answer;
                })
                .toList();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSilentStoreHasFewCallersWaitingAndTheOthersHearAtOnce() {
        fail(StoreCircuitBreaker.FAILURES_IN_A_ROW);
        List<CompletableFuture<Reservation>> waiting = waiting();
        int asked = store.calls().size();
        assertThatThrownBy(() -> bulkhead.reserve(claim()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("silent");
        assertThat(store.calls()).hasSize(asked);

        silence.countDown();
        assertThat(waiting).allSatisfy(it -> assertThat(it.join()).isInstanceOf(Reservation.Granted.class));
        assertThat(bulkhead.reserve(claim())).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void fewerFailuresAreNoSilenceAndEverybodyAsks() {
        fail(StoreCircuitBreaker.FAILURES_IN_A_ROW - 1);
        List<CompletableFuture<Reservation>> waiting = waiting();

        assertThat(bulkhead.reserve(claim())).isInstanceOf(Reservation.Granted.class);
        silence.countDown();
        waiting.forEach(CompletableFuture::join);
    }

    @Test
    void anAnswerEndsTheSilence() {
        fail(StoreCircuitBreaker.FAILURES_IN_A_ROW);
        bulkhead.probe();
        List<CompletableFuture<Reservation>> waiting = waiting();

        assertThat(bulkhead.reserve(claim())).isInstanceOf(Reservation.Granted.class);
        silence.countDown();
        waiting.forEach(CompletableFuture::join);
    }

    @Test
    void aCallThatIsNotMadeIsNoFailureOfTheStore() {
        fail(StoreCircuitBreaker.FAILURES_IN_A_ROW);
        List<CompletableFuture<Reservation>> waiting = waiting();
        IntStream.range(0, 100)
                .forEach(it -> assertThatThrownBy(() -> bulkhead.reserve(claim()))
                        .isInstanceOf(StoreUnavailableException.class));
        silence.countDown();
        waiting.forEach(CompletableFuture::join);

        fail(1);
        assertThat(bulkhead.reserve(claim())).isInstanceOf(Reservation.Granted.class);
    }
}
