package dev.exactlyonce;

import java.time.Duration;

/**
 * The delivery of the current request. Inject it into a resource with {@link ExactlyOnce}.
 *
 * <pre>{@code
 * @Inject
 * Delivery delivery;
 *
 * @POST
 * @ExactlyOnce("billing")
 * public Response receive(Event event) {
 *     payments.charge(event, delivery.key()); // an idempotency key for the next system
 *     return Response.noContent().build();
 * }
 * }</pre>
 *
 * <p>Every method throws an {@link IllegalStateException} where no delivery is: outside a request to a method with
 * {@link ExactlyOnce}, and on the thread that completes an asynchronous stage. Read what is needed before.
 *
 * @since 0.1.0
 */
public interface Delivery {
    /** The name of the source that sent it. */
    String source();

    /** The idempotency key as the store holds it: {@code <source>:<endpoint>:<part>:<part>…}. */
    String key();

    /**
     * How much of the lease is left, never negative; before the delivery is admitted there is none, and an {@link
     * IllegalStateException}. The lease is renewed while the handler runs, up to {@code exactlyonce.max-hold}. At zero
     * a copy may run, on another replica or, after {@code max-hold}, on this one: an effect that must not happen twice
     * should not be started any more.
     */
    Duration leaseLeft();

    /**
     * Whether no other replica can have this delivery now: the time, by a clock that also runs while this process is
     * stopped, is before the sending of the last reserve or renewal that the store confirmed, plus the lease. To be asked
     * right before an effect that must not happen twice. What it does <em>not</em> promise: that it still holds when the
     * effect arrives, as a pause may fall between; hand a fencing token on where the other side takes one.
     *
     * <p>False, too, while the delivery is admitted without the store ({@code on-outage=admit}), or by the file of this
     * replica that stands in for Redis.
     */
    boolean stillOwned();

    /**
     * The fencing token of the claim: a number that is larger than that of every earlier claim of this key, and never begins
     * again. A system that keeps the largest that it has seen, and refuses a smaller one, is safe from a handler that was
     * paused past its lease:
     *
     * <pre>{@code
     * UPDATE invoice SET state = 'paid', fence = ? WHERE id = ? AND fence <= ?
     * }</pre>
     *
     * <p>Numbers of different keys are not comparable. 0 while the delivery is admitted without the store ({@code
     * on-outage=admit}), where nothing orders the claims, and for a duplicate ({@link #isDuplicate()}). After the store has
     * lost its keys, or another store stands in for it, tokens grow as far as the clocks of the machines agree.
     */
    long fence();

    /**
     * Runs the action once, if the claim is lost while the handler runs: another owner has the key, or the lease ended
     * before a renewal was confirmed, which is noticed within a third of the shortest lease. At once when it is lost
     * already; never after the handler has ended. A delivery admitted without the store has no claim to lose until the
     * store confirms one.
     *
     * @param action runs on one of a few threads of the module's own, with the application's class loader and without the
     *     request's context or {@code java:comp}; it should not block, as others wait for these threads; what it throws is
     *     logged
     */
    void onLost(Runnable action);

    /**
     * Whether the delivery was recorded before, and reaches the method once more since its source has {@code
     * duplicate=forward}: to be answered, not to be done again. How the method then ends changes nothing in the store, and it
     * has no claim: {@link #leaseLeft()} is zero, {@link #stillOwned()} false, and an action of {@link #onLost} never runs.
     *
     * <p>False for a first admission, and for one that the store could not be asked about ({@code on-outage=admit}), which
     * may be a copy all the same. Before the delivery is admitted this is not known: an {@link
     * IllegalStateException}.
     */
    boolean isDuplicate();

    /**
     * The turn of the delivery's session, held while the handler of a method with {@link OneAtATime} runs. Closing it is the
     * module's own task.
     *
     * @throws IllegalStateException on a method without {@link OneAtATime}, and for a delivery without a session ({@code
     *     missing=OWN})
     */
    Turn turn();
}
