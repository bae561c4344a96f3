package dev.exactlyonce.sender;

import java.time.Duration;

/** A claimed event that waits for its attempt, and since when its claim holds. Thread-safe. */
final class Hold {
    private final ClaimedEvent event;
    private volatile long since;

    /** @param since nanoseconds, from before the claim or later renewal was asked for */
    Hold(ClaimedEvent event, long since) {
        this.event = event;
        this.since = since;
    }

    ClaimedEvent event() {
        return event;
    }

    void renewed(long now) {
        since = now;
    }

    /** How many nanoseconds of such a lease are left. */
    long left(Duration lease, long now) {
        return lease.toNanos() - (now - since);
    }
}
