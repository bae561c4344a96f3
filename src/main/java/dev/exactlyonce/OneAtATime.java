package dev.exactlyonce;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Serialises the deliveries to an {@link ExactlyOnce} method by what they are about: of one session, one runs at a time over all
 * replicas.
 *
 * <pre>
 * &#64;POST
 * &#64;ExactlyOnce("stripe")
 * &#64;OneAtATime("json:/data/object/customer")
 * public Response receive(Event event) {
 *     subscriptions.apply(event, delivery.turn().fence());
 *     return Response.noContent().build();
 * }
 * </pre>
 *
 * <p>The session is made of the source's name and the values of the key expressions: methods of one source with the same
 * expressions share their sessions. Its turn is taken from the {@link TurnLock}, before the delivery is claimed in the store,
 * and passed on after the delivery was recorded or released; {@link Delivery#turn()} is that turn.
 *
 * <p>A delivery that waits for longer than {@code exactlyonce.turn-lock.wait} is answered 503 with {@code Retry-After}, and
 * nothing is claimed. A copy of a delivery that this replica runs or has recorded does not wait for its turn. While the turn
 * lock's backend is unavailable, deliveries are serialised within each replica, or answered 503 where the source has {@code
 * on-outage=reject}.
 *
 * <p><strong>What it does not promise.</strong> Deliveries are serialised, not ordered: an older event may run after a newer one.
 * And a holder that stands still for longer than {@code exactlyonce.turn-lock.ttl} may run beside the next; a database refuses
 * its writes when it compares the fences of the turns.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RUNTIME)
@Target(METHOD)
public @interface OneAtATime {
    /**
     * Key expressions, one a part of the session, in order, as in {@link ExactlyOnce#key()}; at least one.
     */
    String[] value();

    /** What happens to a delivery in which a part of the session is missing. */
    MissingSession missing() default MissingSession.REJECT;

    /** What a delivery without a session gets. */
    enum MissingSession {
        /** It is answered 400. */
        REJECT,
        /** It has a session of its own: it waits for no other delivery. */
        OWN
    }
}
