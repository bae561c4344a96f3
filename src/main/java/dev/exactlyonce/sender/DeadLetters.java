package dev.exactlyonce.sender;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The dead-letter queue: events whose retry budget is used up, or that their receiver refused. A replay keeps key and bytes,
 * is signed anew and is attempted like a new event. Injectable. Thread-safe.
 *
 * <pre>{@code
 * @Inject DeadLetters letters;
 *
 * for (DeadLetter it : letters.list(DeadLetters.Filter.ALL.ofEndpoint("crm"))) {
 *     letters.replay(it.id(), false);
 * }
 * }</pre>
 *
 * With an outbox in a file and Redis configured, {@code list}, {@code get} and {@code replay} of entries in Redis throw
 * {@link OutboxUnavailableException} while Redis is not reachable. {@code doc/sending.md} has the command line.
 *
 * @since 0.1.0
 */
public interface DeadLetters {
    /**
     * Entries that wait here, oldest first; those that were replayed are not among them. Large bodies make a page shorter
     * than its limit: the end is where a page is empty.
     */
    List<DeadLetter> list(Filter filter);

    /** One entry; also when it was replayed, until the event's row ends, unless it was replayed from Redis. */
    Optional<DeadLetter> get(String id);

    /**
     * Puts the entry back into the outbox with a new retry budget. Safe to call twice, and at once from two places: one
     * call replays it, the other returns {@link Replay#ALREADY_REPLAYED}.
     *
     * @param force also when the first attempt is longer ago than {@code exactlyonce.sender.replay-window}: a receiver may
     *     have forgotten the key by then, and take the event a second time
     */
    Replay replay(String id, boolean force);

    /** Replays every entry that the filter lets through, its limit not counted. */
    ReplaySummary replayAll(Filter filter, boolean force);

    /** Gives an entry up for good; false when it does not wait here. */
    boolean discard(String id);

    /**
     * Which entries are meant.
     *
     * @param endpoint only its entries; empty: all
     * @param from only entries that came here then or later
     * @param to only entries that came here before
     * @param after only entries behind this one, for the next page
     * @param limit how many at most, 1 to 1000
     */
    record Filter(
            Optional<String> endpoint,
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<String> after,
            int limit) {
        /** Everything, a hundred a page. */
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 100);

        public Filter {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("limit is 1 to 1000, was " + limit);
            }
        }

        public Filter ofEndpoint(String name) {
            return new Filter(Optional.of(name), from, to, after, limit);
        }

        public Filter after(String id) {
            return new Filter(endpoint, from, to, Optional.of(id), limit);
        }

        public Filter limit(int most) {
            return new Filter(endpoint, from, to, after, most);
        }
    }

    /** What a replay came to. */
    enum Replay {
        /** It is in the outbox again. */
        REPLAYED,
        /** It was replayed before, or is on its way now: nothing was done. */
        ALREADY_REPLAYED,
        /** Its first attempt is older than the replay window: nothing was done. */
        NEEDS_FORCE,
        /** There is no such entry. */
        UNKNOWN
    }

    /** How many entries came to what. */
    record ReplaySummary(int replayed, int needForce) {}
}
