package dev.exactlyonce;

import java.time.Duration;

/**
 * The delivery that the current request carries. Inject it into a resource with {@link ExactlyOnce}.
 *
 * <p>Every method throws an {@link IllegalStateException} where no delivery is: outside a request to a method with
 * {@link ExactlyOnce}, and on the thread that completes an asynchronous stage. Take what is needed before.
 */
public interface Delivery {
    /** The name of the source that sent it. */
    String source();

    /** The idempotency key as the store holds it: {@code <source>:<endpoint>:<part>:<part>…}. */
    String key();

    /**
     * How much of the lease is left, never negative; before the delivery is admitted there is none, and an {@link
     * IllegalStateException}. At zero another replica may run a copy: an effect that must not
     * happen twice should not be started any more.
     */
    Duration leaseLeft();
}
