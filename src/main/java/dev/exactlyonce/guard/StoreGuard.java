package dev.exactlyonce.guard;

import dev.exactlyonce.admission.GuardedStore;
import dev.exactlyonce.admission.Remembered;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the engine and the store: turns the store's trouble into a degraded fact, owes what the store did not
 * take, lets a fallback stand in for a store that was not there at the start, and finds out by itself when the store is
 * back. Thread-safe.
 */
public final class StoreGuard implements GuardedStore {
    private static final System.Logger LOG = System.getLogger(StoreGuard.class.getName());

    /**
     * The first call to a client that has just been loaded may take far longer than any later one, the more so on a small
     * machine that is starting: a replica that took that for an absent store would run on its own. A store that refuses
     * connections has used the attempts up at once.
     */
    private static final int ATTEMPTS_AT_THE_START = 20;

    private static final Duration LONGEST_START = Duration.ofSeconds(10);

    private final MonitoredStore primary;
    private final OutageTexts words;
    private final @Nullable Fallback fallback;
    private final DegradedFacts facts;
    private final RecordBackfill retelling;
    private final LongSupplier ticker;
    private final AtomicBoolean claimsMayBeLost = new AtomicBoolean();

    /**
     * @param words how an outage of this store is named
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     */
    public StoreGuard(IdempotencyStore store, OutageTexts words, DegradedFacts facts, LongSupplier ticker) {
        this(store, words, Optional.empty(), facts, ticker);
    }

    /** @param plan what stands in when the store is not there at the start */
    public StoreGuard(
            IdempotencyStore store,
            OutageTexts words,
            Optional<FallbackPlan> plan,
            DegradedFacts facts,
            LongSupplier ticker) {
        this.primary = new MonitoredStore(store, new Outage(facts, DegradedFacts.FactKind.OUTAGE, words), ticker);
        this.words = words;
        this.fallback = plan.map(it -> new Fallback(it, facts, ticker)).orElse(null);
        this.facts = facts;
        this.retelling = new RecordBackfill(ticker);
        this.ticker = ticker;
    }

    /** At the start, so that an outage shows before the first delivery: asks the store, with a write, whether it is there. */
    public void check() {
        boolean isThere = isThereAtTheStart();
        if (fallback == null) {
            if (!isThere) {
                primary.check(); // once more: now the outage shows, with its cause
            }
        } else if (isThere) {
            fallback.drainWhatWasLeft();
        } else {
            primary.logAbsence();
            fallback.standIn();
        }
    }

    private boolean isThereAtTheStart() {
        long began = ticker.getAsLong();
        for (int i = 0; i < ATTEMPTS_AT_THE_START && ticker.getAsLong() - began < LONGEST_START.toNanos(); i++) {
            if (primary.isThere()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Reservation reserve(Claim claim) {
        if (fallback == null) {
            return primary.reserve(claim);
        }
        if (fallback.standsIn()) {
            return fallback.reserve(claim);
        }
        StoreUnavailableException notAsked = null;
        if (fallback.isDraining()) {
            try {
                Optional<Reservation> there = fallback.find(claim.key());
                if (there.isPresent()) {
                    return there.get();
                }
            } catch (StoreUnavailableException e) {
                notAsked = e;
            }
        }
        Reservation answer = primary.reserve(claim);
        if (notAsked != null && answer instanceof Reservation.Granted) {
            throw notAsked; // held by nobody else now, but perhaps recorded: whether that will do is the source's
            // choice
        }
        return answer;
    }

    @Override
    public Optional<Reservation> find(DeliveryKey key) {
        if (fallback != null && fallback.standsIn()) {
            return fallback.find(key);
        }
        Optional<Reservation> there = fallback != null && fallback.isDraining() ? leftOver(key) : Optional.empty();
        return there.isPresent() ? there : primary.find(key);
    }

    private Optional<Reservation> leftOver(DeliveryKey key) {
        try {
            return Objects.requireNonNull(fallback).find(key);
        } catch (StoreUnavailableException away) { // told by the fallback; the other store may know as much
            return Optional.empty();
        }
    }

    @Override
    public Kept record(Claim claim, RecordedAnswer answer, Duration ttl) {
        if (fallback == null || !fallback.has(claim)) {
            return primary.record(claim, answer, ttl);
        }
        Kept kept = fallback.record(claim, answer, ttl);
        if (!fallback.standsIn()) {
            fallback.takeRecorded().forEach(retelling::add); // the others ask the configured store by now
        }
        return kept;
    }

    @Override
    public void abandon(Claim claim) {
        if (fallback != null) {
            fallback.abandon(claim);
        }
    }

    @Override
    public boolean isShared(Claim claim) {
        return fallback == null || !fallback.has(claim);
    }

    @Override
    public void release(Claim claim) {
        if (fallback != null && fallback.has(claim)) {
            fallback.release(claim);
        } else {
            primary.release(claim);
        }
    }

    @Override
    public void releaseLater(Claim claim) {
        if (fallback != null && fallback.has(claim)) {
            fallback.releaseLater(claim);
        } else {
            primary.releaseLater(claim);
        }
    }

    @Override
    public Map<Claim, Renewal> renew(List<Claim> claims) {
        if (fallback == null) {
            return primary.renew(claims);
        }
        List<Claim> there = new ArrayList<>();
        List<Claim> here = new ArrayList<>();
        claims.forEach(it -> (fallback.has(it) ? there : here).add(it)); // asked once: a claim may be settled meanwhile
        Map<Claim, Renewal> answers = new HashMap<>();
        if (!there.isEmpty()) {
            answers.putAll(fallback.backend().renew(there));
        }
        if (!here.isEmpty()) {
            answers.putAll(primary.renew(here));
        }
        return answers;
    }

    /**
     * The store may have lost what it had granted and recorded: at the next tick the claims of the handlers that run are
     * renewed, and the records that this replica remembers are written again.
     */
    public void retell() {
        claimsMayBeLost.set(true);
        retelling.want();
    }

    /**
     * What the background does about once a second: pays, finds out whether the store is back, and restores what it may
     * have lost. Throws nothing. One thread.
     *
     * @param remembered the records that this replica remembers
     * @param renewAll renews every claim of a handler that runs
     */
    public void tick(Supplier<List<Remembered>> remembered, Runnable renewAll) {
        try {
            payDebts();
            probe();
            MonitoredStore inUse = fallback != null && fallback.standsIn() ? fallback.backend() : primary;
            if (!inUse.isAway() && claimsMayBeLost.compareAndSet(true, false)) {
                renewAll.run(); // before the records: what runs must not run beside
                claimsMayBeLost.compareAndSet(false, inUse.isAway());
            }
            retelling.work(remembered, inUse);
            if (fallback != null && retelling.isDone()) {
                fallback.endFact();
            }
        } catch (Throwable fault) { // a scheduler ends what throws
            LOG.log(Level.ERROR, "EXON0305 the background work of an outage failed; it will be tried again", fault);
        }
    }

    /** Pays what is owed, as far as the stores take it. Called by one thread. */
    public void payDebts() {
        primary.payDebts();
        if (fallback != null) {
            fallback.payDebts();
        }
    }

    /**
     * While degraded, asks the store with a write whether it is back, so that the fact clears without traffic: at most once
     * a second, whoever calls; at most every 5 s one that was not there at the start.
     */
    public void probe() {
        primary.probe();
        if (fallback != null) {
            fallback.probe();
            if (fallback.look(primary::isThere)) {
                fallback.takeRecorded().forEach(retelling::add);
                retell(); // other replicas know nothing yet of what the fallback recorded
            }
        }
    }

    /** The name of the store that answers now. */
    public String storeInUse(String configured) {
        if (fallback != null && fallback.standsIn()) {
            return fallback.storeInUse();
        }
        return primary.isAway() || facts.stands(DegradedFacts.FactKind.NO_DURABLE_STORE) ? words.standIn() : configured;
    }

    /** Closes the fallback, if it was used; the store itself is its opener's. */
    public void close() {
        if (fallback != null) {
            fallback.close();
        }
    }
}
