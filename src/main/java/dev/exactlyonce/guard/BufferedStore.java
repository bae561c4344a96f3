package dev.exactlyonce.guard;

import dev.exactlyonce.admission.LocalEntry;
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
import java.util.function.LongSupplier;

/** Keeps the writes that the store it wraps does not take, and repeats them in the background. Thread-safe. */
final class BufferedStore implements ManagedStore {
    private static final System.Logger LOG = System.getLogger(BufferedStore.class.getName());

    private final MonitoredStore store;
    private final Outage outage;
    private final PendingWrites pending;

    BufferedStore(MonitoredStore store, LongSupplier ticker) {
        this.store = store;
        this.outage = store.outage();
        this.pending = new PendingWrites(outage, ticker);
    }

    /** The whole chain on a store: its circuit breaker, the reports of its outage, the pending writes. */
    static BufferedStore on(IdempotencyStore store, Outage outage, LongSupplier ticker) {
        return new BufferedStore(new MonitoredStore(new StoreCircuitBreaker(store), outage, ticker), ticker);
    }

    MonitoredStore monitored() {
        return store;
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        Optional<Reservation> recorded = pending.recordOf(key);
        return recorded.isPresent() ? recorded : store.find(key);
    }

    @Override
    public Reservation reserve(Claim claim) {
        return pending.recordOf(claim.key()).orElseGet(() -> store.reserve(claim));
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        try {
            Recording recording = store.record(claim, answer, ttl);
            if (!(recording instanceof Recording.OwnedByAnother) || !pending.hasReleaseOf(claim.key())) {
                return recording;
            }
            // an ended claim of this replica may stand there: it is released first
        } catch (StoreUnavailableException reported) {
            LOG.log(Level.DEBUG, "a record is pending", reported);
        } catch (RuntimeException | Error fault) { // the handler has succeeded: that must not get lost
            pending.addRecord(claim, answer, ttl);
            LOG.log(Level.ERROR, "EXON0306 " + claim.key() + " could not be recorded; it will be retried", fault);
            return new Recording.Pending();
        }
        pending.addRecord(claim, answer, ttl);
        return new Recording.Pending();
    }

    @Override
    public boolean release(Claim claim) {
        try {
            return store.release(claim);
        } catch (StoreUnavailableException reported) {
            pending.addRelease(claim);
            return false;
        }
    }

    @Override
    public void releaseLater(Claim claim) {
        pending.addDoubtfulRelease(claim);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return store.renewAll(claims);
    }

    @Override
    public void probe() {
        store.probe();
    }

    @Override
    public void abandon(Claim claim) {
        // nothing is kept for a claim that has no pending write
    }

    @Override
    public boolean isShared(Claim claim) {
        return true;
    }

    @Override
    public void start(boolean isThere) {
        if (!isThere) {
            store.check(); // once more: now the outage shows, with its cause
        }
    }

    @Override
    public void flushPending() {
        pending.flush(store);
    }

    @Override
    public boolean probeIfAway() {
        store.probeIfAway();
        return false;
    }

    @Override
    public boolean isAway() {
        return outage.isOn();
    }

    @Override
    public void writeBack(LocalEntry entry, Duration left) {
        store.recordAgain(entry.claim(), entry.recordedAnswer(), left);
    }

    @Override
    public void backfilled() {
        // nothing stands in for this store
    }

    @Override
    public Optional<String> standIn() {
        return isAway() ? Optional.of(outage.texts().standIn()) : Optional.empty();
    }

    @Override
    public void close() {
        // the store is closed by its opener
    }
}
