package dev.exactlyonce.sender;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An event that was given up: everything that is needed to send it again as it was.
 *
 * @param id by which {@link DeadLetters} finds it
 * @param attempts those that were made, oldest first; of several rounds
 * @param error why it is here, in a word or two
 * @param firstAttempt when the first of all attempts was claimed; empty when none was
 * @param since when it came here
 * @param notBefore when the receiver wants to be asked again
 * @param replayed when it was last put back into the outbox; empty when never
 */
public record DeadLetter(
        String id,
        OutgoingEvent event,
        List<Attempt> attempts,
        String error,
        Optional<Instant> firstAttempt,
        Instant since,
        Optional<Instant> notBefore,
        Optional<Instant> replayed) {
    public DeadLetter {
        attempts = List.copyOf(attempts);
    }

    public String endpoint() {
        return event.endpoint();
    }

    public EventKey key() {
        return event.key();
    }

    public Map<String, String> headers() {
        return event.headers();
    }

    /** A copy of the exact bytes. */
    public byte[] body() {
        return event.body().clone();
    }

    /** Without headers and body. */
    @Override
    public String toString() {
        return "dead letter " + id + ": " + event + ", " + error;
    }
}
