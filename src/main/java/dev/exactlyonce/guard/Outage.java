package dev.exactlyonce.guard;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;

/**
 * One store's outage: raised by a failure or a pending write, cleared by a successful write that was started after the
 * last failure, once no write is pending. A late reply or a read proves nothing. Thread-safe.
 */
final class Outage {
    private static final System.Logger LOG = System.getLogger(Outage.class.getName());

    /** Each cause of an outage is logged once; a store may have many texts for one. */
    private static final int MOST_CAUSES = 10;

    private final DegradedFacts facts;
    private final DegradedFacts.FactKind kind;
    private final OutageTexts texts;

    private final Set<String> causes = new HashSet<>();
    private long failures;
    private int pending;
    private boolean on;

    Outage(DegradedFacts facts, DegradedFacts.FactKind kind, OutageTexts texts) {
        this.facts = facts;
        this.kind = kind;
        this.texts = texts;
    }

    OutageTexts texts() {
        return texts;
    }

    /** To be taken before a store call, and given back when its write succeeded. */
    synchronized long mark() {
        return failures;
    }

    synchronized void failed(String operation, StoreUnavailableException failure) {
        failures++;
        boolean isNewCause = causes.size() < MOST_CAUSES && causes.add(String.valueOf(failure.getMessage()));
        if (!on) {
            on = true;
            facts.raise(kind, texts.reason(), texts.hint());
        }
        if (isNewCause) {
            LOG.log(
                    Level.WARNING,
                    "EXON0330 the idempotency store is unavailable (" + operation + "): " + failure.getMessage(),
                    failure.getCause());
        }
    }

    synchronized void written(long mark) {
        if (on && mark == failures && pending == 0) {
            on = false;
            causes.clear();
            facts.clear(kind);
        }
    }

    /** While a write is pending, the outage is not over, whatever was written meanwhile. */
    synchronized void pendingAdded() {
        pending++;
        if (!on) {
            on = true;
            facts.raise(kind, texts.reason(), texts.hint());
        }
    }

    synchronized void pendingRemoved() {
        pending--;
    }

    synchronized boolean isOn() {
        return on;
    }
}
