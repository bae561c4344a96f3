package dev.exactlyonce.spi;

import java.time.Duration;
import java.util.function.Function;

/** What a store, or this replica's registry, says to a claim. */
public sealed interface Reservation {
    /** The key was absent and is now held by the claim. */
    record Granted() implements Reservation {}

    /** Another claim holds the key, for at most this long. */
    record AlreadyClaimed(Fingerprint fingerprint, Duration leaseLeft) implements Reservation {}

    /** The key was processed, with this end, and its record is still kept. */
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
