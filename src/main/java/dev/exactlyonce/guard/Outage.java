package dev.exactlyonce.guard;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;

/**
 * One store's outage: raised by a failure or by what is owed, cleared by a successful write that was started after the
 * last failure, once nothing is owed. A late reply or a read proves nothing. Thread-safe.
 */
final class Outage {
    private static final System.Logger LOG = System.getLogger(Outage.class.getName());

    /** Each cause of an outage is logged once; a store may have many texts for one. */
    private static final int MOST_CAUSES = 10;

    private final DegradedFacts facts;
    private final DegradedFacts.FactKind kind;
    private final OutageTexts words;

    private final Set<String> causes = new HashSet<>();
    private long failures;
    private int owed;
    private boolean on;

    Outage(DegradedFacts facts, DegradedFacts.FactKind kind, OutageTexts words) {
        this.facts = facts;
        this.kind = kind;
        this.words = words;
    }

    /** To be taken before a store call, and given back when its write succeeded. */
    synchronized long mark() {
        return failures;
    }

    synchronized void failed(String operation, StoreUnavailableException trouble) {
        failures++;
        boolean isNewCause = causes.size() < MOST_CAUSES && causes.add(String.valueOf(trouble.getMessage()));
        if (!on) {
            on = true;
            facts.raise(kind, words.reason(), words.hint());
        }
        if (isNewCause) {
            LOG.log(
                    Level.WARNING,
                    "EXON0330 the idempotency store is unavailable (" + operation + "): " + trouble.getMessage(),
                    trouble.getCause());
        }
    }

    synchronized void written(long mark) {
        if (on && mark == failures && owed == 0) {
            on = false;
            causes.clear();
            facts.clear(kind);
        }
    }

    /** While one is owed, the outage is not over, whatever has been written meanwhile. */
    synchronized void owe() {
        owed++;
        if (!on) {
            on = true;
            facts.raise(kind, words.reason(), words.hint());
        }
    }

    synchronized void paid() {
        owed--;
    }

    synchronized boolean isOn() {
        return on;
    }
}
