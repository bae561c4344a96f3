package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.GuardedStore;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.admission.Recording;
import dev.exactlyonce.admission.Reservation;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Stands between the engine and the store: turns the store's trouble into a degraded fact, owes what the store did not
 * take, and finds out by itself when the store is back. Thread-safe.
 */
public final class StoreGuard implements GuardedStore {
    private static final System.Logger LOG = System.getLogger(StoreGuard.class.getName());
    private static final long PROBE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final IdempotencyStore store;
    private final OutageWords words;
    private final DegradedFacts facts;
    private final Debts debts;
    private final LongSupplier ticker;
    private final AtomicLong nextProbe;

    /**
     * @param words how an outage of this store is named
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     */
    public StoreGuard(IdempotencyStore store, OutageWords words, DegradedFacts facts, LongSupplier ticker) {
        this.store = store;
        this.words = words;
        this.facts = facts;
        this.debts = new Debts(words, facts, ticker);
        this.ticker = ticker;
        this.nextProbe = new AtomicLong(ticker.getAsLong());
    }

    /** How an outage is told: the fact's reason, what to look at, and the store that stands in meanwhile. */
    public record OutageWords(String reason, String hint, String standIn) {}

    @Override
    public Reservation reserve(Claim claim) {
        Optional<Reservation.Recorded> owed = debts.recordOf(claim.key());
        if (owed.isPresent()) {
            return owed.get();
        }
        long mark = facts.mark();
        try {
            Reservation answer = store.reserve(claim);
            if (answer instanceof Reservation.Granted) {
                facts.written(mark);
            }
            return answer;
        } catch (StoreUnavailableException e) {
            failed("reserve", e);
            throw e;
        }
    }

    @Override
    public Kept record(Claim claim, int status, Duration ttl) {
        long mark = facts.mark();
        try {
            Recording answer = store.record(claim, status, ttl);
            if (answer instanceof Recording.Superseded) {
                debts.payReleasesOf(claim.key(), store);
                answer = store.record(claim, status, ttl);
            }
            return answer.fold(
                    written -> {
                        facts.written(mark);
                        return new Kept.InStore();
                    },
                    Kept.Superseded::new);
        } catch (StoreUnavailableException e) {
            failed("record", e);
            debts.oweRecord(claim, status, ttl);
        } catch (RuntimeException | Error fault) { // the handler has succeeded: that must not get lost
            debts.oweRecord(claim, status, ttl);
            LOG.log(Level.ERROR, "EXON0306 " + claim.key() + " could not be recorded; it is owed", fault);
        }
        return new Kept.Owed();
    }

    @Override
    public void release(Claim claim) {
        long mark = facts.mark();
        try {
            if (store.release(claim)) {
                facts.written(mark);
            }
        } catch (StoreUnavailableException e) {
            failed("release", e);
            debts.oweRelease(claim);
        }
    }

    private void failed(String operation, StoreUnavailableException e) {
        if (facts.failed(words)) {
            LOG.log(Level.WARNING, "EXON0307 the store failed on " + operation + "; told once until it is back", e);
        }
    }

    /** Pays what is owed, as far as the store takes it. Called about once a second, by one thread. */
    public void payDebts() {
        debts.pay(store, this::failed);
    }

    @Override
    public void releaseLater(Claim claim) {
        debts.oweDoubtfulRelease(claim);
    }

    /** What the background does about once a second: pays, and finds out whether the store is back. Throws nothing. */
    public void tick() {
        try {
            payDebts();
            probe();
        } catch (Throwable fault) { // a scheduler ends what throws
            LOG.log(Level.ERROR, "EXON0305 the background work of an outage failed; it will be tried again", fault);
        }
    }

    /**
     * While degraded, asks the store with a write whether it is back: at most once a second, whoever calls, so that the
     * fact clears without traffic.
     */
    public void probe() {
        long due = nextProbe.get();
        long now = ticker.getAsLong();
        if (!facts.inOutage() || now - due < 0 || !nextProbe.compareAndSet(due, now + PROBE_EVERY_NANOS)) {
            return;
        }
        check();
    }

    /** Asks the store, with a write, whether it is there: at the start, so that an outage shows before the first delivery. */
    public void check() {
        long mark = facts.mark();
        try {
            store.probe();
            facts.written(mark);
        } catch (StoreUnavailableException e) {
            failed("probe", e);
        }
    }

    /** The name of the store that answers now. */
    public String storeInUse(String configured) {
        return facts.inOutage() ? words.standIn() : configured;
    }
}
