package dev.exactlyonce.guard;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.spi.AnswerCache;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The writes that the store has not taken yet: records until it does or their TTL has ended, releases until their lease has.
 * Kept in this process and lost with it; the claim then ends with its lease. The latest answers are kept, up to some
 * megabytes: an outage may be long. Thread-safe; one thread flushes.
 */
final class PendingWrites {
    private static final System.Logger LOG = System.getLogger(PendingWrites.class.getName());

    /**
     * How many releases of claims that may not exist are kept: each only saves waiting for a lease's end, and an outage
     * under {@code on-outage=reject} makes one for each delivery.
     */
    static final int MOST_DOUBTFUL_RELEASES = 10_000;

    private static final int SLICE = 500;
    private static final int MOST_FAILURES = 3;

    private final Map<String, LocalEntry> releases = new LinkedHashMap<>(); // by owner token
    private final Map<DeliveryKey, LocalEntry> records = new LinkedHashMap<>();
    private final AnswerCache answers = new AnswerCache(AnswerCache.DEFAULT_SIZE);
    private final Outage outage;
    private final LongSupplier ticker;

    PendingWrites(Outage outage, LongSupplier ticker) {
        this.outage = outage;
        this.ticker = ticker;
    }

    synchronized void addRecord(Claim claim, RecordedAnswer answer, Duration ttl) {
        answers.put(claim, answer);
        LocalEntry entry = LocalEntry.recorded(claim, answer, ttl, ticker.getAsLong());
        if (records.put(claim.key(), entry.tombstone()) == null) {
            outage.pendingAdded();
        }
    }

    synchronized void addRelease(Claim claim) {
        if (releases.put(claim.owner(), LocalEntry.claimed(claim, ticker.getAsLong())) == null) {
            outage.pendingAdded();
        }
    }

    /** Of a claim that the store may have granted although its reply was lost. */
    synchronized void addDoubtfulRelease(Claim claim) {
        if (releases.size() < MOST_DOUBTFUL_RELEASES) {
            addRelease(claim);
        }
    }

    /** The pending record of this key: as good as one in the store, for every delivery to this replica. */
    synchronized Optional<Reservation> recordOf(DeliveryKey key) {
        return Optional.ofNullable(records.get(key))
                .filter(it -> !it.hasEnded(ticker.getAsLong()))
                .map(it -> it.withAnswerOf(answers).alreadyRecorded());
    }

    /** Whether a claim of this replica that has ended may still stand under this key, in the way of a record. */
    synchronized boolean hasReleaseOf(DeliveryKey key) {
        return releases.values().stream().anyMatch(it -> it.claim().key().equals(key));
    }

    /**
     * Writes what the store takes: releases before records, since an ended claim of this replica may stand in a record's
     * place. Stops when three in a row find the store away; one that fails alone waits for the next time and does not stop
     * those behind it.
     */
    void flush(MonitoredStore store) {
        try {
            flush(releases, store);
            flush(records, store);
        } catch (StoreUnavailableException reported) {
            LOG.log(Level.DEBUG, "the store takes no pending writes", reported);
        }
    }

    private void flush(Map<?, LocalEntry> pending, MonitoredStore store) {
        Set<LocalEntry> failed = new HashSet<>();
        int failures = 0;
        while (true) {
            List<LocalEntry> next = slice(pending, failed);
            if (next.isEmpty()) {
                return;
            }
            for (LocalEntry entry : next) {
                try {
                    if (entry.isRecorded() && hasReleaseOf(entry.claim().key())) {
                        failed.add(entry); // it would find this replica's ended claim, and take it for another owner's
                        continue;
                    }
                    if (!entry.hasEnded(ticker.getAsLong())) {
                        write(entry, store);
                    }
                    remove(entry);
                    failures = 0;
                } catch (StoreUnavailableException e) { // the store may refuse this key alone
                    failed.add(entry);
                    moveToEnd(entry);
                    failures++;
                    if (failures == MOST_FAILURES) {
                        throw e;
                    }
                } catch (RuntimeException fault) {
                    failed.add(entry);
                    LOG.log(
                            Level.ERROR,
                            "EXON0304 the pending write of " + entry.claim().key() + " failed; it will be retried",
                            fault);
                }
            }
        }
    }

    private synchronized List<LocalEntry> slice(Map<?, LocalEntry> pending, Set<LocalEntry> failed) {
        return pending.values().stream()
                .filter(it -> !failed.contains(it))
                .limit(SLICE)
                .toList();
    }

    private void write(LocalEntry entry, MonitoredStore store) {
        long mark = outage.mark();
        Claim claim = entry.claim();
        if (!entry.isRecorded()) {
            if (!store.release(claim)) {
                return; // nothing was written, so that nothing is proved
            }
        } else {
            RecordedAnswer answer = entry.withAnswerOf(answers).recordedAnswer();
            if (store.record(claim, answer, entry.left(ticker.getAsLong())) instanceof Recording.OwnedByAnother) {
                LOG.log(
                        Level.WARNING,
                        "EXON0303 {0}: another owner took the key while its record was pending",
                        claim.key());
                return;
            }
        }
        remove(entry);
        outage.written(mark); // once more: the outage is not over while a write is pending
    }

    private synchronized void moveToEnd(LocalEntry entry) {
        if (entry.isRecorded()) {
            if (records.remove(entry.claim().key(), entry)) {
                records.put(entry.claim().key(), entry);
            }
        } else if (releases.remove(entry.claim().owner(), entry)) {
            releases.put(entry.claim().owner(), entry);
        }
    }

    private synchronized void remove(LocalEntry entry) {
        boolean isRemoved = entry.isRecorded()
                ? records.remove(entry.claim().key(), entry)
                : releases.remove(entry.claim().owner(), entry);
        if (isRemoved) {
            answers.remove(entry.claim());
            outage.pendingRemoved();
        }
    }
}
