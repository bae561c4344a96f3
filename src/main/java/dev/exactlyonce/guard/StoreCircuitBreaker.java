package dev.exactlyonce.guard;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Keeps a silent store from holding up the server: each caller would wait for the whole timeout, and the server
 * would run out of threads. Once several calls in a row have failed, only a few callers at a time still ask, and the others
 * fail at once. The first answer closes the circuit again: while the store answers, every caller asks. Thread-safe.
 */
final class StoreCircuitBreaker implements IdempotencyStore {
    /** A reply that is lost now and then is not an outage, and no call may fail because of it. */
    static final int FAILURES_IN_A_ROW = 8;

    static final int MOST_WAITING = 2;

    private final IdempotencyStore store;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();

    StoreCircuitBreaker(IdempotencyStore store) {
        this.store = store;
    }

    private <T> T ask(Supplier<T> call) {
        boolean enough = waiting.getAndIncrement() >= MOST_WAITING;
        try {
            if (enough && failures.get() >= FAILURES_IN_A_ROW) {
                throw new StoreUnavailableException("the store has been silent, and others wait for it already");
            }
            return noted(call);
        } finally {
            waiting.decrementAndGet();
        }
    }

    private <T> T noted(Supplier<T> call) {
        try {
            T answer = call.get();
            if (failures.get() > 0) {
                failures.set(0);
            }
            return answer;
        } catch (StoreUnavailableException e) {
            failures.incrementAndGet();
            throw e;
        }
    }

    @Override
    public Reservation reserve(Claim claim) {
        return ask(() -> store.reserve(claim));
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return ask(() -> store.find(key));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return ask(() -> store.record(claim, answer, ttl));
    }

    @Override
    public boolean release(Claim claim) {
        return ask(() -> store.release(claim));
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return noted(() -> store.renewAll(claims));
    }

    @Override
    public void probe() {
        noted(() -> {
            store.probe();
            return true;
        });
    }

    @Override
    public void close() {
        store.close();
    }
}
