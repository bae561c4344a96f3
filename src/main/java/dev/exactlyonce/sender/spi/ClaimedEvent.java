package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.OutgoingEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * An event whose next attempt this owner may make: the attempt is counted already, so that a crash during it counts.
 *
 * @param id of its row
 * @param owner the token that proves the claim, fresh for each
 * @param round which attempt this is
 * @since 0.1.0
 */
public record ClaimedEvent(long id, String owner, OutgoingEvent event, Round round) {
    /**
     * The attempts since the event was enqueued or last replayed.
     *
     * @param attempt 1 for the first
     * @param began when the first attempt was claimed, by the outbox's clock
     * @param age how long ago that was at this claim, by the same clock, which this replica's wall clock may differ from
     */
    public record Round(int attempt, Instant began, Duration age) {}

    public int attempt() {
        return round.attempt();
    }

    public Instant roundBegan() {
        return round.began();
    }

    public Duration roundAge() {
        return round.age();
    }

    @Override
    public String toString() {
        return event + ", attempt " + attempt();
    }
}
