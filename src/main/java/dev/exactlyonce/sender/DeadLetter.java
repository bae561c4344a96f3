package dev.exactlyonce.sender;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An event in the dead-letter queue, with everything that is needed to send it again as it was.
 *
 * <pre>{@code
 * DeadLetter letter = letters.get(id).orElseThrow();
 * log(letter.key() + " for " + letter.endpoint() + ": " + letter.error() + ", " + letter.attempts().size() + " attempts");
 * }</pre>
 *
 * @param id by which {@link DeadLetters} finds it
 * @param attempts those that were made, oldest first; of several rounds
 * @param error why it is here, in a word or two: {@code 500}, {@code deadline}, {@code the circuit is open}
 * @param firstAttempt when the first of all attempts was claimed; empty when none was
 * @param since when it was dead-lettered
 * @param notBefore when the receiver asked to be called again
 * @param replayed when it was last put back into the outbox; empty when never
 * @since 0.1.0
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

    /** Starts an entry without attempts, for stores. */
    public static Builder builder(String id, OutgoingEvent event, String error, Instant since) {
        return new Builder(id, event, error, since);
    }

    /** The same entry by another id. */
    public DeadLetter withId(String other) {
        return new DeadLetter(other, event, attempts, error, firstAttempt, since, notBefore, replayed);
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

    /** Collects an entry's parts. Not thread-safe. */
    public static final class Builder {
        private final String id;
        private final OutgoingEvent event;
        private final String error;
        private final Instant since;
        private List<Attempt> attempts = List.of();
        private Optional<Instant> firstAttempt = Optional.empty();
        private Optional<Instant> notBefore = Optional.empty();
        private Optional<Instant> replayed = Optional.empty();

        private Builder(String id, OutgoingEvent event, String error, Instant since) {
            this.id = id;
            this.event = event;
            this.error = error;
            this.since = since;
        }

        public Builder attempts(List<Attempt> all) {
            this.attempts = all;
            return this;
        }

        public Builder firstAttempt(Optional<Instant> when) {
            this.firstAttempt = when;
            return this;
        }

        public Builder notBefore(Optional<Instant> when) {
            this.notBefore = when;
            return this;
        }

        public Builder replayed(Optional<Instant> when) {
            this.replayed = when;
            return this;
        }

        public DeadLetter build() {
            return new DeadLetter(id, event, attempts, error, firstAttempt, since, notBefore, replayed);
        }
    }
}
