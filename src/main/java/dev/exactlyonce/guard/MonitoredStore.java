package dev.exactlyonce.guard;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports the failures and the writes of the store that it wraps to its outage, and asks whether it is back. Thread-safe. */
final class MonitoredStore implements IdempotencyStore {
    private static final System.Logger LOG = System.getLogger(MonitoredStore.class.getName());
    private static final long PROBE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final IdempotencyStore store;
    private final Outage outage;
    private final LongSupplier ticker;
    private final AtomicLong nextProbe;
    private volatile @Nullable StoreUnavailableException lastAbsence;

    MonitoredStore(IdempotencyStore store, Outage outage, LongSupplier ticker) {
        this.store = store;
        this.outage = outage;
        this.ticker = ticker;
        this.nextProbe = new AtomicLong(ticker.getAsLong());
    }

    Outage outage() {
        return outage;
    }

    /** A call whose failure is reported, and whose success proves nothing. */
    <T> T call(String operation, Supplier<T> call) {
        try {
            return call.get();
        } catch (StoreUnavailableException e) {
            outage.failed(operation, e);
            throw e;
        }
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return call("find", () -> store.find(key));
    }

    @Override
    public Reservation reserve(Claim claim) {
        long mark = outage.mark();
        Reservation answer = call("reserve", () -> store.reserve(claim));
        if (answer instanceof Reservation.Granted) {
            outage.written(mark);
        }
        return answer;
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        long mark = outage.mark();
        Recording recording = call("record", () -> store.record(claim, answer, ttl));
        if (recording instanceof Recording.Written) {
            outage.written(mark);
        }
        return recording;
    }

    /** A record that may be there already: that it was written proves nothing. */
    void recordAgain(Claim claim, RecordedAnswer answer, Duration ttl) {
        call("record", () -> store.record(claim, answer, ttl));
    }

    @Override
    public boolean release(Claim claim) {
        long mark = outage.mark();
        boolean isReleased = call("release", () -> store.release(claim));
        if (isReleased) {
            outage.written(mark);
        }
        return isReleased;
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        long mark = outage.mark();
        List<Renewal> answers = call("renew", () -> store.renewAll(claims));
        for (Renewal answer : answers) {
            if (answer instanceof Renewal.Unanswered none) {
                outage.failed("renew", none.why());
            }
        }
        if (answers.contains(Renewal.HELD)) {
            outage.written(mark); // proves nothing when another claim's renewal has failed since
        }
        return answers;
    }

    @Override
    public void probe() {
        long mark = outage.mark();
        call("probe", () -> {
            store.probe();
            return true;
        });
        outage.written(mark);
    }

    /** Asks the store, with a write, whether it is there. Throws nothing. */
    void check() {
        try {
            probe();
        } catch (StoreUnavailableException reported) {
            LOG.log(Level.DEBUG, "the store did not answer a probe", reported);
        }
    }

    /** In an outage, asks the store with a write whether it is back: at most once a second, whichever thread calls. */
    void probeIfAway() {
        long due = nextProbe.get();
        long now = ticker.getAsLong();
        if (outage.isOn() && now - due >= 0 && nextProbe.compareAndSet(due, now + PROBE_EVERY_NANOS)) {
            check();
        }
    }

    /** Asks the store, with a write, whether it is there; that it is not is reported in another way. */
    boolean isThere() {
        long mark = outage.mark();
        try {
            store.probe();
            outage.written(mark);
            return true;
        } catch (StoreUnavailableException e) {
            LOG.log(Level.DEBUG, "the store is not there yet", e);
            lastAbsence = e;
            return false;
        }
    }

    /** Logs why the store was not there when {@link #isThere} last asked. */
    void logAbsence() {
        StoreUnavailableException why = lastAbsence;
        if (why != null) {
            LOG.log(
                    Level.WARNING,
                    "EXON0331 the configured store is not there at the start: " + why.getMessage(),
                    why.getCause());
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
