package dev.exactlyonce.guard;

import dev.exactlyonce.admission.Remembered;
import dev.exactlyonce.admission.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells a store that may have lost its keys what this replica remembers. A record is written where nothing stands in its
 * place, so that telling twice, or telling a store that has lost nothing, changes nothing. One thread works.
 */
final class Retelling {
    private static final System.Logger LOG = System.getLogger(Retelling.class.getName());

    /** At one call each, well within the second between two ticks, so that what is owed waits no longer for it. */
    private static final int MOST_A_TICK = 3_000;

    private final LongSupplier ticker;
    private final ArrayDeque<Remembered> pending = new ArrayDeque<>();
    private long since;
    private volatile boolean wanted;

    Retelling(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** From the next tick on. */
    void want() {
        wanted = true;
    }

    void work(Supplier<List<Remembered>> remembered, Backend backend) {
        if (wanted) {
            wanted = false;
            pending.clear();
            pending.addAll(remembered.get());
            since = ticker.getAsLong();
            LOG.log(Level.INFO, "EXON0310 the store is told {0} records again", pending.size());
        }
        for (int told = 0; told < MOST_A_TICK && !pending.isEmpty(); told++) {
            Remembered next = pending.peek();
            Duration left = next.left().minusNanos(ticker.getAsLong() - since);
            try {
                if (left.toMillis() > 0) {
                    backend.recordAgain(next.claim(), next.status(), left);
                }
            } catch (StoreUnavailableException atTheNextTick) {
                return;
            }
            pending.remove();
        }
    }
}
