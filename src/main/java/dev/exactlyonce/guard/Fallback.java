package dev.exactlyonce.guard;

import dev.exactlyonce.admission.AnswerCache;
import dev.exactlyonce.admission.GuardedStore.Kept;
import dev.exactlyonce.admission.Remembered;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The store of this replica alone that stands in when the configured one was not there at the start. Once that one is
 * back the fallback takes no new claims, and is still asked first, until its last row has ended. Thread-safe.
 */
final class Fallback {
    private static final System.Logger LOG = System.getLogger(Fallback.class.getName());
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long KNOWN_NANOS = Duration.ofMinutes(2).toNanos();

    private enum Phase {
        UNUSED,
        STANDING_IN,
        DRAINING
    }

    /** Opened at the first use, so that a replica whose store is there never has the file. */
    private static final class Opened {
        final FallbackStore store;
        final MonitoredStore backend;

        Opened(FallbackStore store, Outage outage, LongSupplier ticker) {
            this.store = store;
            this.backend = new MonitoredStore(store, outage, ticker);
        }
    }

    /**
     * A claim that is here, or may be. It stays known for a while after it was settled, as a renewal may still be on its
     * way; and one that was recorded is told to the configured store if that has come back meanwhile.
     *
     * @param status of its record; 0 for a claim without one
     * @param settled whether nothing of it runs any more
     * @param since when, on the ticker
     */
    private record Home(Claim claim, int status, Duration ttl, boolean settled, long since) {}

    private final FallbackPlan plan;
    private final DegradedFacts facts;
    private final LongSupplier ticker;
    private final AtomicLong nextLook;
    private final Map<String, Home> homes = new ConcurrentHashMap<>(); // by owner token
    private final AnswerCache answers = new AnswerCache(AnswerCache.DEFAULT_SIZE);
    private volatile Optional<Opened> opened = Optional.empty();
    private volatile long drainingSince;
    private volatile Phase phase = Phase.UNUSED;

    Fallback(FallbackPlan plan, DegradedFacts facts, LongSupplier ticker) {
        this.plan = plan;
        this.facts = facts;
        this.ticker = ticker;
        this.nextLook = new AtomicLong(ticker.getAsLong());
    }

    boolean standsIn() {
        return phase == Phase.STANDING_IN;
    }

    boolean isDraining() {
        return phase == Phase.DRAINING;
    }

    /** Whether the claim lives here, or may. */
    boolean has(Claim claim) {
        return homes.containsKey(claim.owner());
    }

    /** The backend of the claims that live here. */
    MonitoredStore backend() {
        return opened().backend;
    }

    private Opened open() {
        return new Opened(
                plan.opener().get(), new Outage(facts, DegradedFacts.FactKind.FALLBACK_OUTAGE, plan.outage()), ticker);
    }

    private Opened opened() {
        return opened.orElseThrow(() -> new IllegalStateException("the fallback was never used"));
    }

    /** At the start: the configured store is away. */
    void standIn() {
        opened = Optional.of(open());
        phase = Phase.STANDING_IN;
        facts.raise(
                DegradedFacts.FactKind.FALLBACK,
                plan.standIn().reason(),
                plan.standIn().hint());
        backend().check(); // so that its own outage shows before the first delivery
    }

    /** At the start: the configured store is there, and an earlier run may have left rows. */
    void drainWhatWasLeft() {
        if (plan.leftOver()) {
            opened = Optional.of(open());
            drain();
            leaveWhenEmpty();
        }
    }

    private void drain() {
        drainingSince = ticker.getAsLong();
        phase = Phase.DRAINING;
    }

    Reservation reserve(Claim claim) {
        note(claim, 0, Duration.ZERO, false); // before the call: one that fails may have claimed
        Reservation answer = backend().reserve(claim);
        if (!(answer instanceof Reservation.Granted)) {
            homes.remove(claim.owner());
        }
        return answer;
    }

    /** @throws StoreUnavailableException when it cannot be asked */
    Optional<Reservation> find(DeliveryKey key) {
        return backend().find(key);
    }

    private void note(Claim claim, int status, Duration ttl, boolean settled) {
        homes.put(claim.owner(), new Home(claim, status, ttl, settled, ticker.getAsLong()));
    }

    Kept record(Claim claim, RecordedAnswer answer, Duration ttl) {
        Kept kept = backend().record(claim, answer, ttl);
        if (!(kept instanceof Kept.NotOwned)) {
            answers.put(claim, answer);
        }
        note(claim, kept instanceof Kept.NotOwned ? 0 : answer.status(), ttl, true);
        return kept;
    }

    void release(Claim claim) {
        backend().release(claim);
        abandon(claim);
    }

    void releaseLater(Claim claim) {
        backend().releaseLater(claim);
        abandon(claim);
    }

    void abandon(Claim claim) {
        homes.computeIfPresent(
                claim.owner(), (owner, home) -> new Home(claim, home.status(), home.ttl(), true, ticker.getAsLong()));
    }

    /** Whether a handler still runs whose claim is here, and which other replicas do not see. */
    boolean hasRunning() {
        return homes.values().stream().anyMatch(it -> !it.settled());
    }

    /** What was recorded here lately, and forgets what was settled long ago. */
    List<Remembered> takeRecorded() {
        long now = ticker.getAsLong();
        List<Remembered> recorded = homes.values().stream()
                .filter(it -> it.status() > 0)
                .map(it -> new Remembered(
                        it.claim(),
                        answers.find(it.claim().owner(), it.status()),
                        it.ttl().minusNanos(now - it.since())))
                .toList();
        recorded.forEach(it -> homes.computeIfPresent(
                it.claim().owner(), (owner, home) -> new Home(home.claim(), 0, Duration.ZERO, true, home.since())));
        return recorded;
    }

    private void forgetSettled() {
        long now = ticker.getAsLong();
        homes.values().removeIf(it -> it.settled() && now - it.since() >= KNOWN_NANOS);
    }

    /**
     * At most every 5 s, whoever calls: whether the configured store is back, or the last row has ended.
     *
     * @return whether the configured store has come back just now
     */
    boolean look(BooleanSupplier isPrimaryThere) {
        long due = nextLook.get();
        long now = ticker.getAsLong();
        if (phase == Phase.UNUSED || now - due < 0 || !nextLook.compareAndSet(due, now + LOOK_EVERY_NANOS)) {
            return false;
        }
        if (phase == Phase.STANDING_IN && isPrimaryThere.getAsBoolean()) {
            drain();
            LOG.log(
                    Level.INFO,
                    "EXON0308 the configured store is there; the fallback is asked first while it has rows");
            return true;
        }
        if (phase == Phase.DRAINING) {
            leaveWhenEmpty();
        }
        return false;
    }

    /** No row outlives the longest TTL: a file that cannot be read must not be asked for ever. */
    private void leaveWhenEmpty() {
        boolean over = ticker.getAsLong() - drainingSince >= plan.rowsLast().toNanos();
        try {
            if (!hasRunning() && (over || backend().call("is empty", opened().store::isEmpty))) {
                phase = Phase.UNUSED;
                facts.clear(DegradedFacts.FactKind.FALLBACK_OUTAGE);
                LOG.log(Level.INFO, "EXON0309 the last row of the fallback has ended; it is asked no more");
            }
        } catch (StoreUnavailableException away) {
            LOG.log(Level.DEBUG, "the fallback cannot say whether it is empty", away);
        }
    }

    /** Nothing is known here any more that the configured store does not know: it is as good as it was meant to be. */
    void endFact() {
        if (phase != Phase.STANDING_IN && !hasRunning()) {
            facts.clear(DegradedFacts.FactKind.FALLBACK);
        }
    }

    void payDebts() {
        forgetSettled();
        opened.ifPresent(it -> it.backend.payDebts());
    }

    void probe() {
        if (phase != Phase.UNUSED) {
            opened.ifPresent(it -> it.backend.probe());
        }
    }

    /** The store that answers while this one stands in. */
    String storeInUse() {
        return backend().isAway() ? plan.outage().standIn() : plan.standIn().standIn();
    }

    void close() {
        opened.ifPresent(it -> it.store.close());
    }
}
