package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Remembered;
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
 * Tells a store that may have lost its keys what this replica remembers. A record is written where nothing stands in its
 * place, so that telling twice, or telling a store that has lost nothing, changes nothing. One thread works.
 */
final class RecordBackfill {
    private static final System.Logger LOG = System.getLogger(RecordBackfill.class.getName());

    /** Of each second between two ticks, so that what is owed waits no longer for it. */
    private static final Duration MOST_A_TICK = Duration.ofMillis(500);

    /** A key that the store does not take must not stop those behind it. */
    private static final int MOST_FAILURES = 3;

    private final LongSupplier ticker;
    /** A record, and when its remaining TTL was looked at, on the ticker. */
    private record LateRecord(Remembered record, long since) {}

    private final ArrayDeque<LateRecord> pending = new ArrayDeque<>();
    private final Queue<LateRecord> late = new ConcurrentLinkedQueue<>();
    private volatile boolean wanted;

    RecordBackfill(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** From the next tick on. */
    void want() {
        wanted = true;
    }

    /** One more record, that the store may not know. */
    void add(Remembered record) {
        late.add(new LateRecord(record, ticker.getAsLong()));
    }

    /** Whether everything has been told. */
    boolean isDone() {
        return !wanted && pending.isEmpty() && late.isEmpty();
    }

    void work(Supplier<List<Remembered>> remembered, MonitoredStore backend) {
        if (wanted) {
            wanted = false;
            pending.clear();
            long now = ticker.getAsLong();
            remembered.get().forEach(it -> pending.add(new LateRecord(it, now)));
            LOG.log(Level.INFO, "EXON0310 the store is told {0} records again", String.valueOf(pending.size()));
        }
        for (LateRecord next = late.poll(); next != null; next = late.poll()) {
            pending.add(next);
        }
        long began = ticker.getAsLong();
        int failures = 0;
        for (int left = pending.size(); left > 0 && ticker.getAsLong() - began < MOST_A_TICK.toNanos(); left--) {
            LateRecord next = pending.remove();
            try {
                tell(next, backend);
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

    private void tell(LateRecord it, MonitoredStore backend) {
        Duration left = it.record().left().minusNanos(ticker.getAsLong() - it.since());
        if (left.toMillis() > 0) {
            backend.recordAgain(it.record().claim(), it.record().answer(), left);
        }
    }
}
