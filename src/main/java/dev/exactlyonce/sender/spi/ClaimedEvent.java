package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.OutgoingEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * An event whose next attempt this owner may make: it is counted already, so that a crash during it is, too.
 *
 * @param id of its row
 * @param owner the token that proves the claim, fresh for each
 * @param attempt 1 for the first of this round
 * @param roundBegan when the first attempt of this round was claimed, by the outbox's clock
 * @param roundAge how long ago that was at this claim, by the same clock: the wall clock here may say something else
 */
public record ClaimedEvent(
        long id, String owner, OutgoingEvent event, int attempt, Instant roundBegan, Duration roundAge) {
    @Override
    public String toString() {
        return event + ", attempt " + attempt;
    }
}
