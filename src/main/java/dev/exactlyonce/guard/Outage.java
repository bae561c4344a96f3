package dev.exactlyonce.guard;

import dev.exactlyonce.admission.StoreUnavailableException;

/**
 * One store's outage: raised by a failure or by what is owed, cleared by a successful write that was started after the
 * last failure, once nothing is owed. A late reply or a read proves nothing. Thread-safe.
 */
final class Outage {
    private final DegradedFacts facts;
    private final DegradedFacts.Kind kind;
    private final OutageWords words;

    private long failures;
    private int owed;
    private boolean on;

    Outage(DegradedFacts facts, DegradedFacts.Kind kind, OutageWords words) {
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
        if (!on) {
            on = true;
            facts.raise(kind, words.reason(), words.hint(), operation, trouble);
        }
    }

    synchronized void written(long mark) {
        if (on && mark == failures && owed == 0) {
            on = false;
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
