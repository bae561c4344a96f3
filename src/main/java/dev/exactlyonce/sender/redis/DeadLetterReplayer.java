package dev.exactlyonce.sender.redis;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.spi.LocalDeadLetters;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Replays and discards what is in Redis. Thread-safe. */
final class DeadLetterReplayer {
    private static final System.Logger LOG = System.getLogger(DeadLetterReplayer.class.getName());

    private final LocalDeadLetters outbox;
    private final DeadLetterStream stream;
    private final ReplayLocks marks;

    /** The content of this replica's marks. The same in each call, so that one whose reply was lost can be repeated. */
    private final String mine = "replaying " + UUID.randomUUID();

    private final Object oneAtATime = new Object();

    /** @param outbox into which it replays */
    DeadLetterReplayer(LocalDeadLetters outbox, DeadLetterStream stream, ReplayLocks marks) {
        this.outbox = outbox;
        this.stream = stream;
        this.marks = marks;
    }

    /** As {@link LocalDeadLetters#replay}. */
    Replay replay(String id, Optional<Duration> window) {
        if (!DeadLetterStream.isId(id)) {
            return Replay.UNKNOWN;
        }
        synchronized (oneAtATime) {
            return marks.set(id, mine).equals(mine) ? replayMarked(id, window) : Replay.ALREADY_REPLAYED;
        }
    }

    /**
     * The mark keeps other replicas from restoring it, too. It is removed from Redis after this outbox has it, so that no
     * end in between loses it; when the mark ends before that, another replica may replay it, under the same key.
     */
    private Replay replayMarked(String id, Optional<Duration> window) {
        Replay result;
        try {
            Optional<DeadLetter> letter = stream.get(id);
            result = letter.isPresent() ? outbox.restore(letter.get(), window) : Replay.UNKNOWN;
        } catch (RuntimeException failure) {
            unmark(id);
            throw failure;
        }
        if (result == Replay.UNKNOWN || result == Replay.NEEDS_FORCE) {
            unmark(id);
        } else {
            remove(id);
        }
        return result;
    }

    private void unmark(String id) {
        try {
            marks.remove(id);
        } catch (OutboxUnavailableException away) {
            LOG.log(Level.DEBUG, "a mark ends by itself");
        }
    }

    private void remove(String id) {
        try {
            stream.remove(id);
            marks.setReplayed(id);
        } catch (OutboxUnavailableException away) {
            LOG.log(
                    Level.WARNING,
                    "EXON0723 dead letter {0} was replayed but could not be removed from Redis; replay it again to remove it",
                    id);
        }
    }

    /** As {@link LocalDeadLetters#discard}. */
    boolean discard(String id) {
        return DeadLetterStream.isId(id)
                && marks.get(id).map(ReplayLocks.REPLAYED::equals).orElse(true)
                && stream.remove(id);
    }
}
