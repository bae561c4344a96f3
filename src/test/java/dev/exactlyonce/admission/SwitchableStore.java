package dev.exactlyonce.admission;

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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A real store behind a switch: it can be made to fail before an operation reaches the store, or after. */
public class SwitchableStore implements IdempotencyStore {
    /** What happens to an operation. */
    public enum Mode {
        WORKS,
        FAILS_BEFORE,
        /** The operation is applied and its answer is lost. */
        FAILS_AFTER,
        /** The store throws what no store should. */
        BREAKS
    }

    private final IdempotencyStore inner;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Mode mode = Mode.WORKS;
    private volatile Runnable beforeCalling = () -> {};
    private volatile Runnable beforeAnswering = () -> {};

    public SwitchableStore(IdempotencyStore inner) {
        this.inner = inner;
    }

    public final void set(Mode next) {
        mode = next;
    }

    /** Runs this once, after the next operation was applied and before its answer arrives. */
    public final void beforeTheNextAnswer(Runnable action) {
        beforeAnswering = action;
    }

    /** Runs this once, before the next operation reaches the store. */
    public final void beforeTheNextCall(Runnable action) {
        beforeCalling = action;
    }

    /** The names of the operations that were tried. */
    public final List<String> calls() {
        return List.copyOf(calls);
    }

    /** The store itself, past the switch. */
    public final IdempotencyStore inner() {
        return inner;
    }

    protected final <T> T call(String name, Supplier<T> operation) {
        Runnable first = beforeCalling;
        beforeCalling = () -> {};
        first.run();
        calls.add(name);
        Mode now = mode;
        if (now == Mode.FAILS_BEFORE) {
            throw new StoreUnavailableException("switched off");
        }
        if (now == Mode.BREAKS) {
            throw new IllegalStateException("a fault in the store");
        }
        T answer = operation.get();
        Runnable action = beforeAnswering;
        beforeAnswering = () -> {};
        action.run();
        if (now == Mode.FAILS_AFTER) {
            throw new StoreUnavailableException("the answer was lost");
        }
        return answer;
    }

    @Override
    public Reservation reserve(Claim claim) {
        return call("reserve", () -> inner.reserve(claim));
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return call("find", () -> inner.find(key));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return call("record", () -> inner.record(claim, answer, ttl));
    }

    @Override
    public boolean release(Claim claim) {
        return call("release", () -> inner.release(claim));
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return call("renew", () -> inner.renewAll(claims));
    }

    @Override
    public void probe() {
        call("probe", () -> {
            inner.probe();
            return true;
        });
    }

    @Override
    public void close() {
        inner.close();
    }
}
