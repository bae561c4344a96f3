package dev.exactlyonce.guard;

import dev.exactlyonce.admission.GuardedStore.Kept;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One store behind the guard: its outage, what it is owed, and the finding out that it is back. Thread-safe. */
final class MonitoredStore {
    private static final System.Logger LOG = System.getLogger(MonitoredStore.class.getName());
    private static final long PROBE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final IdempotencyStore store;
    private final Outage outage;
    private final PendingWrites debts;
    private final LongSupplier ticker;
    private final AtomicLong nextProbe;
    private volatile @Nullable StoreUnavailableException lastAbsence;

    MonitoredStore(IdempotencyStore store, Outage outage, LongSupplier ticker) {
        this.store = new StoreCircuitBreaker(store);
        this.outage = outage;
        this.debts = new PendingWrites(outage, ticker);
        this.ticker = ticker;
        this.nextProbe = new AtomicLong(ticker.getAsLong());
    }

    boolean isAway() {
        return outage.isOn();
    }

    /**
     * What a claim on this key would be refused with; a record that is owed is as good as one in the store.
     *
     * @throws StoreUnavailableException when the store cannot be asked
     */
    Optional<Reservation> find(DeliveryKey key) {
        Optional<Reservation> owed = debts.recordOf(key).map(Reservation.class::cast);
        return owed.isPresent() ? owed : call("find", () -> store.find(key));
    }

    /** @throws StoreUnavailableException when the store did not answer in time; the claim may have been written */
    Reservation reserve(Claim claim) {
        Optional<Reservation.AlreadyRecorded> owed = debts.recordOf(claim.key());
        if (owed.isPresent()) {
            return owed.get();
        }
        long mark = outage.mark();
        try {
            Reservation answer = store.reserve(claim);
            if (answer instanceof Reservation.Granted) {
                outage.written(mark);
            }
            return answer;
        } catch (StoreUnavailableException e) {
            outage.failed("reserve", e);
            throw e;
        }
    }

    /** A call that fails as every other, and proves nothing when it does not. */
    <T> T call(String operation, Supplier<T> call) {
        try {
            return call.get();
        } catch (StoreUnavailableException e) {
            outage.failed(operation, e);
            throw e;
        }
    }

    Kept record(Claim claim, RecordedAnswer answer, Duration ttl) {
        long mark = outage.mark();
        try {
            Recording recording = store.record(claim, answer, ttl);
            if (recording instanceof Recording.OwnedByAnother && debts.owesReleaseOf(claim.key())) {
                debts.oweRecord(claim, answer, ttl); // a dead claim of our own may stand there: it is paid first
                return new Kept.Owed();
            }
            return recording.fold(
                    written -> {
                        outage.written(mark);
                        return new Kept.InStore();
                    },
                    Kept.NotOwned::new);
        } catch (StoreUnavailableException e) {
            outage.failed("record", e);
            debts.oweRecord(claim, answer, ttl);
        } catch (RuntimeException | Error fault) { // the handler has succeeded: that must not get lost
            debts.oweRecord(claim, answer, ttl);
            LOG.log(Level.ERROR, "EXON0306 " + claim.key() + " could not be recorded; it is owed", fault);
        }
        return new Kept.Owed();
    }

    void release(Claim claim) {
        long mark = outage.mark();
        try {
            if (store.release(claim)) {
                outage.written(mark);
            }
        } catch (StoreUnavailableException e) {
            outage.failed("release", e);
            debts.oweRelease(claim);
        }
    }

    void releaseLater(Claim claim) {
        debts.oweDoubtfulRelease(claim);
    }

    Map<Claim, Renewal> renew(List<Claim> claims) {
        long mark = outage.mark();
        try {
            List<Renewal> answers = store.renewAll(claims);
            Map<Claim, Renewal> answered = new HashMap<>();
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i) instanceof Renewal.Unanswered none) {
                    outage.failed("renew", none.why());
                } else {
                    answered.put(claims.get(i), answers.get(i));
                }
            }
            if (answers.contains(Renewal.HELD)) {
                outage.written(mark); // no proof when another claim's renewal has failed since
            }
            return answered;
        } catch (StoreUnavailableException e) {
            outage.failed("renew", e);
            return Map.of();
        }
    }

    /** Writes the record where nothing or the claim itself stands in its place; another's stays. */
    void recordAgain(Claim claim, RecordedAnswer answer, Duration ttl) {
        call("record", () -> store.record(claim, answer, ttl));
    }

    /** Pays what is owed, as far as the store takes it. Called about once a second, by one thread. */
    void payDebts() {
        debts.pay(store, outage::failed);
    }

    /** In an outage, asks the store with a write whether it is back: at most once a second, whoever calls. */
    void probe() {
        long due = nextProbe.get();
        long now = ticker.getAsLong();
        if (!isAway() || now - due < 0 || !nextProbe.compareAndSet(due, now + PROBE_EVERY_NANOS)) {
            return;
        }
        check();
    }

    /** Asks the store, with a write, whether it is there. */
    void check() {
        long mark = outage.mark();
        try {
            store.probe();
            outage.written(mark);
        } catch (StoreUnavailableException e) {
            outage.failed("probe", e);
        }
    }

    /** Logs why the store was not there when it was last asked by {@link #isThere}. */
    void logAbsence() {
        StoreUnavailableException why = lastAbsence;
        if (why != null) {
            LOG.log(
                    Level.WARNING,
                    "EXON0331 the configured store is not there at the start: " + why.getMessage(),
                    why.getCause());
        }
    }

    /** The same, where its absence is told in another way. */
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
}
