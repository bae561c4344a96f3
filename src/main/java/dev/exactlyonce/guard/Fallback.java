package dev.exactlyonce.guard;

import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The store of this replica alone that stands in when the configured one was not there at the start, and when it is used.
 * Once the configured store is back, the fallback takes no new claims, and is still asked first until its last row has
 * ended. Thread-safe.
 */
final class Fallback {
    private static final System.Logger LOG = System.getLogger(Fallback.class.getName());
    private static final long CHECK_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private enum Phase {
        UNUSED,
        STANDING_IN,
        DRAINING
    }

    /** Opened at the first use, so that a replica whose store is there never has the file. */
    private record OpenedFallback(FallbackStore store, BufferedStore buffered) {}

    private final FallbackPlan plan;
    private final DegradedFacts facts;
    private final LongSupplier ticker;
    private final AtomicLong nextCheck;
    private final FallbackClaims claims;
    private volatile Optional<OpenedFallback> opened = Optional.empty();
    private volatile long drainingSince;
    private volatile Phase phase = Phase.UNUSED;

    Fallback(FallbackPlan plan, DegradedFacts facts, LongSupplier ticker) {
        this.plan = plan;
        this.facts = facts;
        this.ticker = ticker;
        this.nextCheck = new AtomicLong(ticker.getAsLong());
        this.claims = new FallbackClaims(ticker);
    }

    boolean standsIn() {
        return phase == Phase.STANDING_IN;
    }

    boolean isDraining() {
        return phase == Phase.DRAINING;
    }

    FallbackClaims claims() {
        return claims;
    }

    BufferedStore store() {
        return opened().buffered();
    }

    private OpenedFallback open() {
        FallbackStore store = plan.opener().get();
        Outage outage = new Outage(facts, DegradedFacts.FactKind.FALLBACK_OUTAGE, plan.outage());
        return new OpenedFallback(store, BufferedStore.on(store, outage, ticker));
    }

    private OpenedFallback opened() {
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
        store().monitored().check(); // so that its own outage shows before the first delivery
    }

    /** At the start: the configured store is there, and an earlier run may have left rows. */
    void drainLeftOver() {
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

    /**
     * At most every 5 s, whichever thread calls: whether the configured store is back, or the last row has ended.
     *
     * @return whether the configured store has just come back
     */
    boolean check(BooleanSupplier isPrimaryThere) {
        long due = nextCheck.get();
        long now = ticker.getAsLong();
        if (phase == Phase.UNUSED || now - due < 0 || !nextCheck.compareAndSet(due, now + CHECK_EVERY_NANOS)) {
            return false;
        }
        if (phase == Phase.STANDING_IN && isPrimaryThere.getAsBoolean()) {
            drain();
            LOG.log(
                    Level.INFO,
                    "EXON0308 the configured store is available; the fallback is asked first while it has rows");
            return true;
        }
        if (phase == Phase.DRAINING) {
            leaveWhenEmpty();
        }
        return false;
    }

    /** No row outlives the longest TTL: a file that cannot be read must not be asked longer than that. */
    private void leaveWhenEmpty() {
        boolean over = ticker.getAsLong() - drainingSince >= plan.rowsLast().toNanos();
        try {
            if (!claims.hasRunning() && (over || store().monitored().call("is empty", opened().store()::isEmpty))) {
                phase = Phase.UNUSED;
                facts.clear(DegradedFacts.FactKind.FALLBACK_OUTAGE);
                LOG.log(Level.INFO, "EXON0309 the last row of the fallback has ended; it is not asked any more");
            }
        } catch (StoreUnavailableException away) {
            LOG.log(Level.DEBUG, "the fallback cannot say whether it is empty", away);
        }
    }

    /** Everything known here is in the configured store, which is as durable as configured again. */
    void clearFact() {
        if (phase != Phase.STANDING_IN && !claims.hasRunning()) {
            facts.clear(DegradedFacts.FactKind.FALLBACK);
        }
    }

    void flushPending() {
        claims.forgetSettled();
        opened.ifPresent(it -> it.buffered().flushPending());
    }

    void probeIfAway() {
        if (phase != Phase.UNUSED) {
            opened.ifPresent(it -> it.buffered().probeIfAway());
        }
    }

    /** The name of the store that answers while this one stands in. */
    String name() {
        return store().standIn().orElse(plan.standIn().standIn());
    }

    void close() {
        opened.ifPresent(it -> it.store().close());
    }
}
