package dev.exactlyonce.admission;

/** What became of a renewal. */
public enum Renewal {
    /** The claim holds for another lease, or has been recorded. */
    HELD,
    /** Another owner has the key. */
    LOST
}
