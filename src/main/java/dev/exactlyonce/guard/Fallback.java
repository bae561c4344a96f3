package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.DeliveryKey;
import dev.exactlyonce.admission.FallbackStore;
import dev.exactlyonce.admission.GuardedStore.Kept;
import dev.exactlyonce.admission.Reservation;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
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

    private enum Phase {
        UNUSED,
        STANDING_IN,
        DRAINING
    }

    /** Opened at the first use, so that a replica whose store is there never has the file. */
    private static final class Opened {
        final FallbackStore store;
        final Backend backend;

        Opened(FallbackStore store, Outage outage, LongSupplier ticker) {
            this.store = store;
            this.backend = new Backend(store, outage, ticker);
        }
    }

    private final FallbackPlan plan;
    private final DegradedFacts facts;
    private final LongSupplier ticker;
    private final AtomicLong nextLook;
    private final Set<String> owners = ConcurrentHashMap.newKeySet(); // of the claims that are, or may be, here
    private volatile Optional<Opened> opened = Optional.empty();
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
        return owners.contains(claim.owner());
    }

    /** The backend of the claims that live here. */
    Backend backend() {
        return opened().backend;
    }

    private Opened open() {
        return new Opened(
                plan.opener().get(), new Outage(facts, DegradedFacts.Kind.FALLBACK_OUTAGE, plan.outage()), ticker);
    }

    private Opened opened() {
        return opened.orElseThrow(() -> new IllegalStateException("the fallback was never used"));
    }

    /** At the start: the configured store is away. */
    void standIn() {
        opened = Optional.of(open());
        phase = Phase.STANDING_IN;
        facts.raise(
                DegradedFacts.Kind.FALLBACK,
                plan.standIn().reason(),
                plan.standIn().hint());
    }

    /** At the start: the configured store is there, and an earlier run may have left rows. */
    void drainWhatWasLeft() {
        if (plan.leftOver()) {
            opened = Optional.of(open());
            phase = Phase.DRAINING;
            look(() -> true);
        }
    }

    Reservation reserve(Claim claim) {
        owners.add(claim.owner()); // before the call: one that fails may have claimed
        Reservation answer = backend().reserve(claim);
        if (!(answer instanceof Reservation.Granted)) {
            owners.remove(claim.owner());
        }
        return answer;
    }

    /** @throws StoreUnavailableException when it cannot be asked */
    Optional<Reservation> find(DeliveryKey key) {
        Optional<Reservation> owed = backend().owedRecordOf(key).map(Reservation.class::cast);
        return owed.isPresent()
                ? owed
                : backend().call("find", () -> opened().store.find(key));
    }

    Kept record(Claim claim, int status, Duration ttl) {
        Kept kept = backend().record(claim, status, ttl);
        owners.remove(claim.owner());
        return kept;
    }

    void release(Claim claim) {
        backend().release(claim);
        owners.remove(claim.owner());
    }

    void releaseLater(Claim claim) {
        backend().releaseLater(claim);
        owners.remove(claim.owner());
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
            phase = Phase.DRAINING;
            facts.clear(DegradedFacts.Kind.FALLBACK);
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

    private void leaveWhenEmpty() {
        try {
            if (!backend().isAway() && backend().call("is empty", opened().store::isEmpty)) {
                phase = Phase.UNUSED;
                owners.clear();
                LOG.log(Level.INFO, "EXON0309 the last row of the fallback has ended; it is asked no more");
            }
        } catch (StoreUnavailableException away) {
            LOG.log(Level.DEBUG, "the fallback cannot say whether it is empty", away);
        }
    }

    void payDebts() {
        opened.ifPresent(it -> it.backend.payDebts());
    }

    void probe() {
        opened.ifPresent(it -> it.backend.probe());
    }

    /** The store that answers while this one stands in. */
    String storeInUse() {
        return backend().isAway() ? plan.outage().standIn() : plan.standIn().standIn();
    }

    void close() {
        opened.ifPresent(it -> it.store.close());
    }
}
