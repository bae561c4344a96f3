package dev.exactlyonce.spi;

import java.time.Duration;
import java.util.function.Function;

/**
 * The answer of a store to a claim.
 *
 * <pre>{@code
 * store.reserve(claim).fold(granted -> run(), claimed -> retryAfter(claimed.leaseLeft()), recorded -> acknowledge());
 * }</pre>
 *
 * @since 0.1.0
 */
public sealed interface Reservation {
    /**
     * The key was absent and is now held by the claim.
     *
     * @param fence the claim's fencing token: larger than that of every earlier claim of the key, see {@link
     *     IdempotencyStore}; 0 where there is none
     */
    record Granted(long fence) implements Reservation {}

    /** Another claim holds the key, for at most this long. */
    record AlreadyClaimed(Fingerprint fingerprint, Duration leaseLeft) implements Reservation {}

    /** The key was processed with this result, and its record has not ended. */
    record AlreadyRecorded(Fingerprint fingerprint, RecordedAnswer answer) implements Reservation {}

    default <A> A fold(
            Function<Granted, A> granted, Function<AlreadyClaimed, A> inFlight, Function<AlreadyRecorded, A> recorded) {
        if (this instanceof Granted it) {
            return granted.apply(it);
        }
        if (this instanceof AlreadyClaimed it) {
            return inFlight.apply(it);
        }
        return recorded.apply((AlreadyRecorded) this);
    }
}
