package dev.exactlyonce;

import java.time.Duration;

/**
 * The delivery that the current request carries. Inject it into a resource with {@link ExactlyOnce}.
 *
 * <p>Every method throws an {@link IllegalStateException} outside a request that was admitted, also on the thread that
 * completes an asynchronous stage: take what is needed before.
 */
public interface Delivery {
    /** The name of the source that sent it. */
    String source();

    /** The idempotency key as the store holds it: {@code <source>:<endpoint>:<part>:<part>…}. */
    String key();

    /**
     * How much of the lease is left, never negative. At zero another replica may run a copy: an effect that must not
     * happen twice should not be started any more.
     */
    Duration leaseLeft();
}
