package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.admission.Recording;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the store did not take: records until it does or their TTL has ended, releases until their lease has. Kept in
 * this process: what is still owed at its end is lost with it, and the claim then ends with its lease. Thread-safe.
 */
final class Debts {
    private static final System.Logger LOG = System.getLogger(Debts.class.getName());

    private record Debt(Claim claim, int status, Duration ttl, long since) {
        boolean isRecord() {
            return status > 0;
        }

        Duration lasts() {
            return isRecord() ? ttl : claim.lease();
        }
    }

    private final Queue<Debt> owed = new ArrayDeque<>();
    private final DegradedFacts facts;
    private final LongSupplier ticker;

    Debts(DegradedFacts facts, LongSupplier ticker) {
        this.facts = facts;
        this.ticker = ticker;
    }

    void oweRecord(Claim claim, int status, Duration ttl) {
        add(new Debt(claim, status, ttl, ticker.getAsLong()));
    }

    void oweRelease(Claim claim) {
        add(new Debt(claim, 0, claim.lease(), ticker.getAsLong()));
    }

    private synchronized void add(Debt debt) {
        owed.add(debt);
        facts.owe();
    }

    private synchronized @Nullable Debt first() {
        return owed.peek();
    }

    private synchronized void drop(Debt debt) {
        if (owed.remove(debt)) {
            facts.paid();
        }
    }

    /** Pays in order, and stops at the first that the store does not take. */
    void pay(IdempotencyStore store, BiConsumer<String, StoreUnavailableException> onTrouble) {
        for (Debt debt = first(); debt != null; debt = first()) {
            Duration left = debt.lasts().minusNanos(ticker.getAsLong() - debt.since());
            try {
                if (!left.isNegative() && !left.isZero()) {
                    pay(debt, left, store);
                }
            } catch (StoreUnavailableException e) {
                onTrouble.accept("an owed operation", e);
                return;
            }
            drop(debt);
        }
    }

    private void pay(Debt debt, Duration left, IdempotencyStore store) {
        long mark = facts.mark();
        if (!debt.isRecord()) {
            if (!store.release(debt.claim())) {
                return; // nothing was written, so that nothing is proved
            }
        } else if (store.record(debt.claim(), debt.status(), left) instanceof Recording.Superseded) {
            LOG.log(
                    Level.WARNING,
                    "EXON0303 {0}: another owner took the key while its record was owed",
                    debt.claim().key());
            return;
        }
        drop(debt);
        facts.written(mark);
    }
}
