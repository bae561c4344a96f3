package dev.exactlyonce.guard;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Writes what this replica remembers to a store that may have lost its keys. A record is written where nothing stands in its
 * place, so that writing it twice, or to a store that has lost nothing, changes nothing. One thread works.
 */
final class RecordBackfill {
    private static final System.Logger LOG = System.getLogger(RecordBackfill.class.getName());

    /** Of each second between two ticks, so that pending writes wait no longer for it. */
    private static final Duration MOST_A_TICK = Duration.ofMillis(500);

    /** A key that the store does not take must not stop those behind it. */
    private static final int MOST_FAILURES = 3;

    private final LongSupplier ticker;
    private final ArrayDeque<LocalEntry> pending = new ArrayDeque<>();
    private final Queue<LocalEntry> added = new ConcurrentLinkedQueue<>();
    private volatile boolean requested;

    RecordBackfill(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** Writes every remembered record, from the next tick on. */
    void request() {
        requested = true;
    }

    /** One more record, that the store may not know. */
    void add(LocalEntry record) {
        added.add(record);
    }

    /** Whether everything was written. */
    boolean isDone() {
        return !requested && pending.isEmpty() && added.isEmpty();
    }

    void work(Supplier<List<LocalEntry>> remembered, ManagedStore store) {
        if (requested) {
            requested = false;
            pending.clear();
            pending.addAll(remembered.get());
            LOG.log(Level.INFO, "EXON0310 {0} records are written to the store again", String.valueOf(pending.size()));
        }
        for (LocalEntry next = added.poll(); next != null; next = added.poll()) {
            pending.add(next);
        }
        long began = ticker.getAsLong();
        int failures = 0;
        for (int left = pending.size(); left > 0 && ticker.getAsLong() - began < MOST_A_TICK.toNanos(); left--) {
            LocalEntry next = pending.remove();
            try {
                write(next, store);
                failures = 0;
            } catch (StoreUnavailableException atALaterTick) {
                pending.add(next);
                failures++;
                if (failures == MOST_FAILURES) {
                    return;
                }
            }
        }
    }

    private void write(LocalEntry record, ManagedStore store) {
        Duration left = record.left(ticker.getAsLong());
        if (left.toMillis() > 0) {
            store.writeBack(record, left);
        }
    }
}
