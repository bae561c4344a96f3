package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.admission.Recording;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

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

    /** A release that is not repeated only costs waiting for the lease's end, so that their number may be bounded. */
    static final int MOST_RELEASES = 10_000;

    private final Set<Debt> records = new LinkedHashSet<>();
    private final Set<Debt> releases = new LinkedHashSet<>();
    private final DegradedFacts facts;
    private final LongSupplier ticker;

    Debts(DegradedFacts facts, LongSupplier ticker) {
        this.facts = facts;
        this.ticker = ticker;
    }

    synchronized void oweRecord(Claim claim, int status, Duration ttl) {
        records.add(new Debt(claim, status, ttl, ticker.getAsLong()));
        facts.owe();
    }

    synchronized void oweRelease(Claim claim) {
        if (releases.size() == MOST_RELEASES) {
            drop(releases.iterator().next());
        }
        releases.add(new Debt(claim, 0, claim.lease(), ticker.getAsLong()));
        facts.owe();
    }

    private synchronized List<Debt> all() {
        List<Debt> all = new ArrayList<>(records);
        all.addAll(releases);
        return all;
    }

    private synchronized void drop(Debt debt) {
        if (records.remove(debt) || releases.remove(debt)) {
            facts.paid();
        }
    }

    /** Pays each once, records first, and stops at the first that the store does not take. */
    void pay(IdempotencyStore store, BiConsumer<String, StoreUnavailableException> onTrouble) {
        for (Debt debt : all()) {
            Duration left = debt.lasts().minusNanos(ticker.getAsLong() - debt.since());
            try {
                if (!left.isNegative() && !left.isZero()) {
                    pay(debt, left, store);
                }
                drop(debt);
            } catch (StoreUnavailableException e) {
                onTrouble.accept("an owed operation", e);
                return;
            } catch (RuntimeException fault) {
                LOG.log(
                        Level.ERROR,
                        "EXON0304 what is owed for " + debt.claim().key()
                                + " could not be paid; it will be tried again",
                        fault);
            }
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
