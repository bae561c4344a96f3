package dev.exactlyonce.guard;

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

    /** @return whether the outage began with this failure */
    synchronized boolean failed() {
        failures++;
        return begin();
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
        begin();
    }

    synchronized void paid() {
        owed--;
    }

    synchronized boolean isOn() {
        return on;
    }

    private boolean begin() {
        boolean begins = !on;
        if (begins) {
            on = true;
            facts.raise(kind, words.reason(), words.hint());
        }
        return begins;
    }
}
