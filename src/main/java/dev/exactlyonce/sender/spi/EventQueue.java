package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.OutgoingEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The port behind which events wait for their attempts. {@link Outbox} draws the states and lists the guarantees.
 *
 * @since 0.1.0
 */
public interface EventQueue {
    /**
     * Adds the event unless its key is there. Takes part in the caller's transaction where the store can.
     *
     * @param lease of a claim for the first attempt, whose owner is the caller; empty: the event waits, and is due
     * @return the claim, an event that waits, or that the key was there
     */
    Enqueued enqueue(OutgoingEvent event, Optional<Duration> lease);

    /** The result of an enqueue. */
    sealed interface Enqueued {
        /** Added and claimed by the caller. */
        record Claimed(ClaimedEvent event) implements Enqueued {}

        /** Added; the event is due. */
        record Waiting() implements Enqueued {}

        /** The key was there; nothing was added. */
        record Known() implements Enqueued {}
    }

    /** Endpoints with due events: waiting and their time has come, or claimed and their lease has ended. */
    Set<String> due();

    /** Claims due events of one endpoint, the longest due first, and counts the attempt of each. */
    List<ClaimedEvent> claim(String endpoint, int most, Duration lease);

    /** Renews the claim's lease; false when the claim was lost. */
    boolean renew(ClaimedEvent event, Duration lease);

    /** Writes these results together. One answer each, in order: false when the claim was lost, and nothing changed. */
    List<Boolean> settle(List<AttemptResult> results);

    /** How many events wait or are claimed for endpoints other than these: no one sends them. */
    long countUndeclared(Collection<String> endpoints);

    /** Removes some rows that have been done or moved for longer than the retention; returns how many. */
    int purge(Duration retention, int most);
}
