package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of an event after its attempt.
 *
 * @since 0.1.0
 */
public sealed interface AttemptResult {
    ClaimedEvent event();

    /** What to add to the event's history; empty when no attempt was made: then the counted one is taken back. */
    Optional<Attempt> made();

    /** Whether the endpoint answered 410: it is gone for good (RFC 9110, section 15.5.11). */
    default boolean isEndpointGone() {
        return made().map(Attempt::outcome).filter("410"::equals).isPresent();
    }

    /** The receiver took it. Its row is kept without its body for the retention, so that its key stays known. */
    record Succeeded(ClaimedEvent event, Optional<Attempt> made) implements AttemptResult {}

    /** It is due again after this, by the outbox's clock. */
    record RetryLater(ClaimedEvent event, Optional<Attempt> made, Duration delay) implements AttemptResult {}

    /**
     * It goes to the dead-letter queue.
     *
     * @param notBefore when the receiver asked to be called again, if it did
     */
    record Exhausted(ClaimedEvent event, Optional<Attempt> made, String error, Optional<Instant> notBefore)
            implements AttemptResult {}

    /** It may be lost, and is: {@link dev.exactlyonce.sender.Endpoint.Guarantee#AT_MOST_ONCE}. */
    record Abandoned(ClaimedEvent event, Optional<Attempt> made) implements AttemptResult {}
}
