package dev.exactlyonce.turn;

/** The answer to the renewal of one turn. */
public enum TurnRenewal {
    /** The TTL begins anew. */
    HELD,
    /** Another request has or had the session. */
    LOST,
    /** The store did not answer for this turn. */
    UNANSWERED
}
