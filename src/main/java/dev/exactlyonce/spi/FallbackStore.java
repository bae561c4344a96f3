package dev.exactlyonce.spi;

import java.time.Duration;

/** A store of this replica alone that can stand in for a shared one, and be asked for what it knows afterwards. */
public interface FallbackStore extends IdempotencyStore {
    /** How long {@link #find} takes at most: it stands before a call to the store itself, whose time it must not use up. */
    Duration FIND_WITHIN = Duration.ofMillis(100);

    /** Whether no claim and no record is left that has not ended. */
    boolean isEmpty();
}
