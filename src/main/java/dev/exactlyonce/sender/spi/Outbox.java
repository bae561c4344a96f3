package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.OutgoingEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The port behind which events are kept. One row an event, in one of these states:
 *
 * <pre>
 *             claim (attempt counted, owner, lease)        Delivered, Dropped
 *   enqueue → WAITING ───────────────────────────→ CLAIMED ──────────────────→ DONE (key only) → purged
 *                ↑ ↑             Again, or the lease ends │                       ↑ discard
 *                │ └─────────────────────────────────────┤ Dead                  │
 *                ├──────────── replay ─────────────────── DEAD ───────────────────┘
 *                │                                         ↓ moved
 *                └──────────── restore ────────────────── MOVED (key only) → purged
 * </pre>
 *
 * What an implementation owes: each method is one atomic step; {@code (endpoint, key)} is unique over all states; a claim
 * is proved by its owner token in every later step, and a step that finds another owner changes nothing and says so; leases
 * are set and judged by one clock, the store's; what was acknowledged survives a crash. Thread-safe. Every method throws
 * {@link OutboxUnavailableException} when the store does not answer, and then may have happened or not.
 */
public interface Outbox extends AutoCloseable {
    /**
     * Adds the event unless its key is there. Takes part in the caller's transaction where the store can.
     *
     * @param lease of a claim for the first attempt, whose owner is the caller; empty: the event waits, and is due
     * @return the claim, an event that waits, or that the key was there
     */
    Enqueued enqueue(OutgoingEvent event, Optional<Duration> lease);

    /** What came of an enqueue. */
    sealed interface Enqueued {
        record Claimed(ClaimedEvent event) implements Enqueued {}

        record Waiting() implements Enqueued {}

        record Known() implements Enqueued {}
    }

    /** Endpoints that have events which are due: waiting and their time has come, or claimed and their lease has ended. */
    Set<String> due();

    /** Claims due events of one endpoint, the longest due first, and counts the attempt of each. */
    List<ClaimedEvent> claim(String endpoint, int most, Duration lease);

    /** The same claim with a new lease; false when it was lost. */
    boolean renew(ClaimedEvent event, Duration lease);

    /** Takes these down together. One answer each, in order: false when the claim was lost, and nothing changed. */
    List<Boolean> settle(List<AttemptResult> settlements);

    /** Stops sending there, until somebody enables it; kept over a restart, and over replicas. */
    void disable(String endpoint, String reason);

    /** False when it was not disabled. */
    boolean enable(String endpoint);

    /** The disabled endpoints, and why. */
    Map<String, String> disabled();

    /** As {@link DeadLetters#list}. */
    List<DeadLetter> dead(DeadLetters.Filter filter);

    /** As {@link DeadLetters#get}. */
    Optional<DeadLetter> dead(String id);

    /** As {@link DeadLetters#replay}; the entry's {@code notBefore} is when it is due, if that is still to come. */
    DeadLetters.Replay replay(String id, Optional<Duration> window);

    /** As {@link DeadLetters#discard}. */
    boolean discard(String id);

    /**
     * Forgets an entry but for its key, since another queue has it. False when it is no longer as it was read, because it
     * was replayed or discarded meanwhile: then nothing changed.
     *
     * @param letter as this outbox gave it
     */
    boolean moved(DeadLetter letter);

    /**
     * As {@link #replay}, of an entry that another queue has: the event waits here under its key, with its history. An
     * event of that key that is here in any state but moved stays as it is.
     *
     * @return never {@code UNKNOWN}; {@code ALREADY_REPLAYED} when the key is here
     */
    DeadLetters.Replay restore(DeadLetter letter, Optional<Duration> window);

    /** How many events wait or are claimed for endpoints other than these: nobody sends them. */
    long strayed(Collection<String> endpoints);

    /** Removes some rows that have been done or moved for longer than the retention; returns how many. */
    int purge(Duration retention, int most);

    @Override
    void close();
}
