package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.spi.ClaimedEvent;
import java.time.Duration;

/** A claimed event that waits for its attempt, and since when its claim holds. Thread-safe. */
final class QueuedClaim {
    private final ClaimedEvent event;
    private final long claimed;
    private volatile long since;

    /** @param claimed nanoseconds, from before the claim was asked for */
    QueuedClaim(ClaimedEvent event, long claimed) {
        this.event = event;
        this.claimed = claimed;
        this.since = claimed;
    }

    ClaimedEvent event() {
        return event;
    }

    /** How long ago the first attempt of this round was claimed. */
    Duration roundAge(long now) {
        return event.roundAge().plusNanos(now - claimed);
    }

    /** @param now nanoseconds, from before the renewal was asked for */
    void renewed(long now) {
        since = now;
    }

    /** How many nanoseconds of such a lease are left. */
    long left(Duration lease, long now) {
        return lease.toNanos() - (now - since);
    }
}
