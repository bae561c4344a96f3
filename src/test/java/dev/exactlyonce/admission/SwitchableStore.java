package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.function.Supplier;

/** A store that can be away, take an operation and lose its reply, or fail as no store should. */
final class SwitchableStore implements IdempotencyStore {
    enum Line {
        UP,
        DOWN,
        LOSING_REPLIES,
        BROKEN
    }

    volatile Line line = Line.UP;
    private final IdempotencyStore behind;

    SwitchableStore(IdempotencyStore behind) {
        this.behind = behind;
    }

    private <T> T through(Supplier<T> operation) {
        if (line == Line.DOWN) {
            throw new StoreUnavailableException("away");
        }
        if (line == Line.BROKEN) {
            throw new IllegalStateException("a fault in the store");
        }
        T reply = operation.get();
        if (line == Line.LOSING_REPLIES) {
            throw new StoreUnavailableException("reply lost");
        }
        return reply;
    }

    @Override
    public Reservation reserve(Claim claim) {
        return through(() -> behind.reserve(claim));
    }

    @Override
    public Recording record(Claim claim, int status, Duration ttl) {
        return through(() -> behind.record(claim, status, ttl));
    }

    @Override
    public boolean release(Claim claim) {
        return through(() -> behind.release(claim));
    }

    @Override
    public Renewal renew(Claim claim) {
        return through(() -> behind.renew(claim));
    }

    @Override
    public void probe() {
        var unused = through(() -> {
            behind.probe();
            return true;
        });
    }

    @Override
    public void close() {
        behind.close();
    }
}
