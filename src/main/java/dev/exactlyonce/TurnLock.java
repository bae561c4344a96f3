package dev.exactlyonce;

import java.time.Duration;
import java.util.Optional;

/**
 * Serialises work over all replicas: for each session, one holder at a time. A session is whatever must not be worked on
 * twice at once, such as a conversation, a customer or an order. Injectable and thread-safe.
 *
 * <pre>{@code
 * @Inject
 * TurnLock turns;
 *
 * void reply(Message message) {
 *     try (Turn turn = turns.take("session:" + message.sender(), Duration.ofSeconds(5))) {
 *         conversations.answer(message, turn.fence());
 *     }
 * }
 * }</pre>
 *
 * <p>A turn is held for {@code exactlyonce.turn-lock.ttl} and renewed every third of it, for at most {@code
 * exactlyonce.max-hold}; the turn of a replica that dies is free after the TTL. Those that wait are served in the order of
 * their arrival at the backend, over all replicas. The lock is not reentrant: a holder that takes its own session again waits
 * for itself.
 *
 * <p><strong>What it does not promise.</strong> A holder that is paused for longer than the TTL may run beside the next one:
 * {@link Turn#stillHeld()} tells it, and {@link Turn#fence()} lets a database refuse its writes. While the backend is
 * unavailable a turn is serialised within this replica alone, and the readiness check {@code capability:turn_lock:redis} is
 * marked as degraded; with {@code exactlyonce.on-outage=reject} it is refused instead. Serialised is not ordered: two
 * messages that arrive at two replicas take their turns in the order in which they ask for them.
 *
 * @since 0.1.0
 */
public interface TurnLock {
    /**
     * Takes the session, and waits for it while another holder has it. Close the turn to pass it on.
     *
     * @param session any text of at least one character; a long one is hashed for the backend
     * @param wait how long to wait, zero or more; zero does not wait
     * @throws IllegalArgumentException when the session is empty or the time to wait is negative
     * @throws TurnTimeoutException when the session was not free in time, or the thread was interrupted while it waited (its
     *     interrupt status is then set); nothing is held
     * @throws TurnLockUnavailableException when the backend is unavailable and {@code exactlyonce.on-outage=reject}
     */
    Turn take(String session, Duration wait);

    /** As {@link #take(String, Duration)}, for {@code exactlyonce.turn-lock.wait}. */
    Turn take(String session);

    /**
     * Takes the session if it is free, without waiting.
     *
     * @return empty when another holder has it, or others wait for it
     * @throws TurnLockUnavailableException as {@link #take(String, Duration)}
     */
    Optional<Turn> tryTake(String session);
}
