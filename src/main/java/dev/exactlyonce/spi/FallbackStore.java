package dev.exactlyonce.spi;

import java.time.Duration;

/**
 * A store of this replica alone that can stand in for a shared store, and whose rows are taken into account afterwards.
 *
 * <pre>{@code
 * boolean isDrained = fallback.isEmpty();
 * }</pre>
 *
 * @since 0.1.0
 */
public interface FallbackStore extends IdempotencyStore {
    /** The longest time that {@link #find} takes: a call to the shared store follows, and has its own timeout. */
    Duration FIND_WITHIN = Duration.ofMillis(100);

    /** Whether every claim and every record has ended. */
    boolean isEmpty();
}
