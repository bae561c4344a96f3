package dev.exactlyonce.guard;

import dev.exactlyonce.admission.AnswerCache;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * What the store did not take: records until it does or their TTL has ended, releases until their lease has. Kept in
 * this process: what is still owed at its end is lost with it, and the claim then ends with its lease. Of the records'
 * answers some megabytes are kept, the latest: an outage may be long. Thread-safe.
 */
final class PendingWrites {
    private static final System.Logger LOG = System.getLogger(PendingWrites.class.getName());

    private record PendingWrite(Claim claim, int status, Duration ttl, long since) {
        boolean isRecord() {
            return status > 0;
        }

        Duration lasts() {
            return isRecord() ? ttl : claim.lease();
        }
    }

    /**
     * How many releases of claims that may not even exist are kept: each only saves waiting for a lease's end, and an
     * outage under {@code on-outage=reject} makes one for each delivery.
     */
    static final int MOST_DOUBTFUL_RELEASES = 10_000;

    private static final int SLICE = 500;
    private static final int MOST_FAILURES = 3;

    private final Map<String, PendingWrite> releases = new LinkedHashMap<>(); // by owner token
    private final Map<DeliveryKey, PendingWrite> records = new LinkedHashMap<>();
    private final AnswerCache answers = new AnswerCache(AnswerCache.DEFAULT_SIZE);
    private final Outage outage;
    private final LongSupplier ticker;

    PendingWrites(Outage outage, LongSupplier ticker) {
        this.outage = outage;
        this.ticker = ticker;
    }

    synchronized void oweRecord(Claim claim, RecordedAnswer answer, Duration ttl) {
        answers.put(claim, answer);
        PendingWrite replaced =
                records.put(claim.key(), new PendingWrite(claim, answer.status(), ttl, ticker.getAsLong()));
        if (replaced == null) {
            outage.owe();
        }
    }

    synchronized void oweRelease(Claim claim) {
        PendingWrite replaced =
                releases.put(claim.owner(), new PendingWrite(claim, 0, claim.lease(), ticker.getAsLong()));
        if (replaced == null) {
            outage.owe();
        }
    }

    /** Of a claim that the store may have granted without our hearing of it. */
    synchronized void oweDoubtfulRelease(Claim claim) {
        if (releases.size() < MOST_DOUBTFUL_RELEASES) {
            oweRelease(claim);
        }
    }

    /** The record that is owed under this key: as good as one in the store, for whoever asks this replica. */
    synchronized Optional<Reservation.AlreadyRecorded> recordOf(DeliveryKey key) {
        return Optional.ofNullable(records.get(key))
                .filter(this::isStillOwed)
                .map(it -> new Reservation.AlreadyRecorded(it.claim().fingerprint(), answerOf(it)));
    }

    /** Whether a claim of our own that has ended may still stand under this key, where a record must not find itself. */
    synchronized boolean owesReleaseOf(DeliveryKey key) {
        return releases.values().stream().anyMatch(it -> it.claim().key().equals(key));
    }

    /**
     * Pays what the store takes: releases before records, since a record may stand behind a dead claim of our own. Stops
     * when three in a row find the store away; one that fails alone, or breaks otherwise, waits for the next time and does
     * not stop those behind it.
     */
    void pay(IdempotencyStore store, BiConsumer<String, StoreUnavailableException> onTrouble) {
        try {
            payAll(releases.values(), store, onTrouble);
            payAll(records.values(), store, onTrouble);
        } catch (StoreUnavailableException e) {
            onTrouble.accept("an owed operation", e);
        }
    }

    private void payAll(
            Collection<PendingWrite> owed,
            IdempotencyStore store,
            BiConsumer<String, StoreUnavailableException> onTrouble) {
        Set<PendingWrite> broken = new HashSet<>();
        int failures = 0;
        while (true) {
            List<PendingWrite> next = slice(owed, it -> !broken.contains(it), SLICE);
            if (next.isEmpty()) {
                return;
            }
            for (PendingWrite debt : next) {
                try {
                    if (debt.isRecord() && owesReleaseOf(debt.claim().key())) {
                        broken.add(debt); // it would find our own dead claim, and take it for another's
                        continue;
                    }
                    if (isStillOwed(debt)) {
                        pay(debt, store);
                    }
                    drop(debt);
                    failures = 0;
                } catch (StoreUnavailableException e) { // it may be this key alone that the store does not take
                    broken.add(debt);
                    putLast(debt);
                    failures++;
                    if (failures == MOST_FAILURES) {
                        throw e;
                    }
                    onTrouble.accept("an owed operation", e);
                } catch (RuntimeException fault) {
                    broken.add(debt);
                    LOG.log(
                            Level.ERROR,
                            "EXON0304 what is owed for " + debt.claim().key()
                                    + " could not be paid; it will be tried again",
                            fault);
                }
            }
        }
    }

    private synchronized List<PendingWrite> slice(
            Collection<PendingWrite> owed, Predicate<PendingWrite> which, int most) {
        return owed.stream().filter(which).limit(most).toList();
    }

    private synchronized void putLast(PendingWrite debt) {
        if (debt.isRecord()) {
            if (records.remove(debt.claim().key(), debt)) {
                records.put(debt.claim().key(), debt);
            }
        } else if (releases.remove(debt.claim().owner(), debt)) {
            releases.put(debt.claim().owner(), debt);
        }
    }

    private synchronized void drop(PendingWrite debt) {
        boolean dropped = debt.isRecord()
                ? records.remove(debt.claim().key(), debt)
                : releases.remove(debt.claim().owner(), debt);
        if (dropped) {
            answers.remove(debt.claim());
            outage.paid();
        }
    }

    private RecordedAnswer answerOf(PendingWrite record) {
        return answers.find(record.claim().owner(), record.status());
    }

    private Duration left(PendingWrite debt) {
        return debt.lasts().minusNanos(ticker.getAsLong() - debt.since());
    }

    private boolean isStillOwed(PendingWrite debt) {
        return left(debt).compareTo(Duration.ZERO) > 0;
    }

    private void pay(PendingWrite debt, IdempotencyStore store) {
        long mark = outage.mark();
        if (!debt.isRecord()) {
            if (!store.release(debt.claim())) {
                return; // nothing was written, so that nothing is proved
            }
        } else if (store.record(debt.claim(), answerOf(debt), left(debt)) instanceof Recording.OwnedByAnother) {
            LOG.log(
                    Level.WARNING,
                    "EXON0303 {0}: another owner took the key while its record was owed",
                    debt.claim().key());
            return;
        }
        drop(debt);
        outage.written(mark);
    }
}
