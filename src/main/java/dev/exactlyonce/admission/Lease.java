package dev.exactlyonce.admission;

import java.time.Duration;

/** What a handler sees of the claim under which it runs. Thread-safe. */
public sealed interface Lease permits HeldLease, DuplicateView, TransactionalLease {
    /** How much is left, never negative; zero once the claim was lost or the work has ended. */
    Duration left();

    /** Whether no other replica can have the key now; also false when no store has confirmed the claim. */
    boolean stillOwned();

    /**
     * Runs the action once when the claim is lost, on a thread of the module: when another owner is found, or when the lease
     * has ended before a renewal was confirmed, noticed within a third of the shortest lease. At once when it is lost
     * already. Never once the work has ended.
     */
    void onLost(Runnable action);

    /** The claim's fencing token; 0 when no store has granted it, and for a duplicate. */
    long fence();

    /** Whether the delivery was recorded before, and reaches the handler since its source forwards duplicates. */
    boolean isDuplicate();
}
