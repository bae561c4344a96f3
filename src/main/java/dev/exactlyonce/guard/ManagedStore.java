package dev.exactlyonce.guard;

import dev.exactlyonce.admission.GuardedStore;
import dev.exactlyonce.admission.LocalEntry;
import java.time.Duration;
import java.util.Optional;

/** A guarded store, and what the background does for it. */
interface ManagedStore extends GuardedStore {
    /**
     * Called once, before the first delivery.
     *
     * @param isThere whether the configured store has answered
     */
    void start(boolean isThere);

    /** Writes what is pending, as far as the store takes it. Called about once a second, by one thread. */
    void flushPending();

    /**
     * Asks a store in an outage whether it is back, at a limited rate. Throws nothing.
     *
     * @return whether the configured store has just replaced its fallback
     */
    boolean probeIfAway();

    /** Whether the store that is used now is in an outage. */
    boolean isAway();

    /** Writes the record where nothing or the claim itself stands in its place; another owner's entry stays. */
    void writeBack(LocalEntry entry, Duration left);

    /** What this replica remembers was written to the store that is used now. */
    void backfilled();

    /** The name of the store that stands in for the configured one now, if one does. */
    Optional<String> standIn();

    /** Closes the fallback, if there is one; the configured store is closed by its opener. */
    @Override
    void close();
}
