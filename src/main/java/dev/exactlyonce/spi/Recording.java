package dev.exactlyonce.spi;

import java.time.Duration;
import java.util.function.Function;

/**
 * The result of writing a record.
 *
 * <pre>{@code
 * store.record(claim, answer, ttl).fold(written -> true, pending -> true, other -> false);
 * }</pre>
 *
 * @since 0.1.0
 */
public sealed interface Recording {
    /** The record is in the store, now or since an earlier attempt of the same claim. */
    record Written() implements Recording {}

    /** Accepted, and written once the store can be reached. What wraps a store answers this; a store itself never does. */
    record Pending() implements Recording {}

    /** Another owner took the key after the lease had ended; zero lease left when that owner has recorded. */
    record OwnedByAnother(boolean running, Duration leaseLeft) implements Recording {}

    default <A> A fold(
            Function<Written, A> written, Function<Pending, A> pending, Function<OwnedByAnother, A> superseded) {
        if (this instanceof Written it) {
            return written.apply(it);
        }
        if (this instanceof Pending it) {
            return pending.apply(it);
        }
        return superseded.apply((OwnedByAnother) this);
    }
}
