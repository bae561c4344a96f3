package dev.exactlyonce.sender;

import java.time.Instant;

/**
 * An event whose next attempt this owner may make: it is counted already, so that a crash during it is, too.
 *
 * @param id of its row
 * @param owner the token that proves the claim, fresh for each
 * @param attempt 1 for the first of this round
 * @param roundBegan when the first attempt of this round was claimed
 */
public record ClaimedEvent(long id, String owner, OutgoingEvent event, int attempt, Instant roundBegan) {
    @Override
    public String toString() {
        return event + ", attempt " + attempt;
    }
}
