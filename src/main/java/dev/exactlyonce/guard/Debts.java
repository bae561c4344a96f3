package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.DeliveryKey;
import dev.exactlyonce.admission.IdempotencyStore;
import dev.exactlyonce.admission.Recording;
import dev.exactlyonce.admission.Reservation;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final Map<DeliveryKey, Debt> records = new LinkedHashMap<>();
    private final Set<Debt> releases = new LinkedHashSet<>();
    private final DegradedFacts facts;
    private final LongSupplier ticker;

    Debts(DegradedFacts facts, LongSupplier ticker) {
        this.facts = facts;
        this.ticker = ticker;
    }

    synchronized void oweRecord(Claim claim, int status, Duration ttl) {
        Debt replaced = records.put(claim.key(), new Debt(claim, status, ttl, ticker.getAsLong()));
        if (replaced == null) {
            facts.owe();
        }
    }

    /** The record that is owed under this key: as good as one in the store, for whoever asks this replica. */
    synchronized Optional<Reservation.Recorded> recordOf(DeliveryKey key) {
        return Optional.ofNullable(records.get(key))
                .filter(it -> isStillOwed(left(it)))
                .map(it -> new Reservation.Recorded(it.claim().fingerprint(), it.status()));
    }

    synchronized void oweRelease(Claim claim) {
        if (releases.size() == MOST_RELEASES) {
            drop(releases.iterator().next());
        }
        releases.add(new Debt(claim, 0, claim.lease(), ticker.getAsLong()));
        facts.owe();
    }

    private Duration left(Debt debt) {
        return debt.lasts().minusNanos(ticker.getAsLong() - debt.since());
    }

    private static boolean isStillOwed(Duration left) {
        return !left.isNegative() && !left.isZero();
    }

    private synchronized List<Debt> all() {
        List<Debt> all = new ArrayList<>(records.values());
        all.addAll(releases);
        return all;
    }

    private synchronized void drop(Debt debt) {
        if (records.remove(debt.claim().key(), debt) || releases.remove(debt)) {
            facts.paid();
        }
    }

    /** Pays each once, records first, and stops at the first that the store does not take. */
    void pay(IdempotencyStore store, BiConsumer<String, StoreUnavailableException> onTrouble) {
        for (Debt debt : all()) {
            Duration left = left(debt);
            try {
                if (isStillOwed(left)) {
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
