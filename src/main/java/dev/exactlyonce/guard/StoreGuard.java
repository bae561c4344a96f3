package dev.exactlyonce.guard;

import dev.exactlyonce.admission.GuardedStore;
import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.admission.TransactionalClaims;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The store as the engine uses it: wrapped in its decorators (circuit breaker, outage reports, pending writes and, where it
 * has a fallback, failover), with the background work that finds out whether it is back and restores what it may have lost.
 * Thread-safe.
 */
public final class StoreGuard implements GuardedStore {
    private static final System.Logger LOG = System.getLogger(StoreGuard.class.getName());

    /**
     * The first call to a client that was just loaded may take far longer than any later one, more so on a small machine that
     * is starting: a replica must not take that for an absent store and run on its own. A store that refuses connections
     * uses the attempts up at once.
     */
    private static final int ATTEMPTS_AT_THE_START = 20;

    private static final Duration LONGEST_START = Duration.ofSeconds(10);

    private final MonitoredStore configured;
    private final TransactionalClaims transactional;
    private final ManagedStore store;
    private final OutageTexts texts;
    private final DegradedFacts facts;
    private final RecordBackfill backfill;
    private final LongSupplier ticker;
    private final AtomicBoolean claimsMayBeLost = new AtomicBoolean();

    /**
     * @param texts how an outage of this store is named
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     */
    public StoreGuard(IdempotencyStore store, OutageTexts texts, DegradedFacts facts, LongSupplier ticker) {
        this(store, texts, Optional.empty(), facts, ticker);
    }

    /** @param plan the fallback when the store is not there at the start */
    public StoreGuard(
            IdempotencyStore store,
            OutageTexts texts,
            Optional<FallbackPlan> plan,
            DegradedFacts facts,
            LongSupplier ticker) {
        BufferedStore primary =
                BufferedStore.on(store, new Outage(facts, DegradedFacts.FactKind.OUTAGE, texts), ticker);
        this.backfill = new RecordBackfill(ticker);
        this.configured = primary.monitored();
        this.transactional = store instanceof TransactionalClaims claims ? claims : TransactionalClaims.NONE;
        this.store = plan.<ManagedStore>map(it -> new Failover(primary, new Fallback(it, facts, ticker), backfill))
                .orElse(primary);
        this.texts = texts;
        this.facts = facts;
        this.ticker = ticker;
    }

    /** Never those of a fallback, which could not keep the promise. */
    @Override
    public TransactionalClaims transactional() {
        return transactional;
    }

    /** At the start, so that an outage shows before the first delivery: asks the store, with a write, whether it is there. */
    public void check() {
        store.start(isThereAtTheStart());
    }

    private boolean isThereAtTheStart() {
        long began = ticker.getAsLong();
        for (int i = 0; i < ATTEMPTS_AT_THE_START && ticker.getAsLong() - began < LONGEST_START.toNanos(); i++) {
            if (configured.isThere()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The store may have lost what it had granted and recorded: at the next tick the claims of the handlers that run are
     * renewed, and the records that this replica remembers are written again.
     */
    public void backfill() {
        claimsMayBeLost.set(true);
        backfill.request();
    }

    /**
     * The background's work about once a second: flushes pending writes, finds out whether the store is back, and restores
     * what it may have lost. Throws nothing. One thread.
     *
     * @param remembered the records that this replica remembers
     * @param renewAll renews every claim of a handler that runs
     */
    public void tick(Supplier<List<LocalEntry>> remembered, Runnable renewAll) {
        try {
            flushPending();
            probe();
            if (!store.isAway() && claimsMayBeLost.compareAndSet(true, false)) {
                renewAll.run(); // before the records: a copy must not run beside a handler
                claimsMayBeLost.compareAndSet(false, store.isAway());
            }
            backfill.work(remembered, store);
            if (backfill.isDone()) {
                store.backfilled();
            }
        } catch (Throwable fault) { // a scheduler ends what throws
            LOG.log(Level.ERROR, "EXON0305 the background work of an outage failed; it will be retried", fault);
        }
    }

    /** Writes what is pending, as far as the stores take it. Called by one thread. */
    public void flushPending() {
        store.flushPending();
    }

    /**
     * While degraded, asks the store with a write whether it is back, so that the fact clears without traffic: at most once
     * a second, whichever thread calls; at most every 5 s one that was not there at the start. Throws nothing.
     */
    @Override
    public void probe() {
        if (store.probeIfAway()) {
            backfill();
        }
    }

    /** The name of the store that answers now. */
    public String storeInUse(String configuredName) {
        return store.standIn()
                .orElseGet(
                        () -> facts.stands(DegradedFacts.FactKind.NO_DURABLE_STORE) ? texts.standIn() : configuredName);
    }

    @Override
    public Reservation reserve(Claim claim) {
        return store.reserve(claim);
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        return store.find(key);
    }

    @Override
    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        return store.record(claim, answer, ttl);
    }

    @Override
    public boolean release(Claim claim) {
        return store.release(claim);
    }

    @Override
    public void releaseLater(Claim claim) {
        store.releaseLater(claim);
    }

    @Override
    public void abandon(Claim claim) {
        store.abandon(claim);
    }

    @Override
    public boolean isShared(Claim claim) {
        return store.isShared(claim);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return store.renewAll(claims);
    }

    /** Closes the fallback, if it was used; the store itself is closed by its opener. */
    @Override
    public void close() {
        store.close();
    }
}
