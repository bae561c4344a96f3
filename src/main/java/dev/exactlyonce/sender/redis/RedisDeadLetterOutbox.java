package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.ClaimedEvent;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.Outbox;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.Settlement;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An outbox whose dead letters are in a stream of Redis, which replicas share.
 *
 * <pre>
 * settle Dead → the outbox's own dead letter ──add, then moved──→ entry in Redis ──restore, then remove──→ any outbox
 * </pre>
 *
 * An event is always in an outbox or in Redis: it leaves the one when the other has it, whatever fails in between. What
 * fails there leaves it in both, and it may be sent twice, under the same key. While Redis is away, dead letters stay in
 * this outbox, are listed there by ids that begin with {@code local-}, and are moved once Redis is back.
 *
 * <p>Listing and replaying what is in Redis throw {@link OutboxUnavailableException} while it is away; nothing else does.
 * What Redis forgets is lost: it needs a disk ({@code appendonly yes}) and {@code maxmemory-policy noeviction}. Thread-safe.
 */
public final class RedisDeadLetterOutbox implements Outbox {
    private static final System.Logger LOG = System.getLogger(RedisDeadLetterOutbox.class.getName());

    private final Outbox outbox;
    private final DeadStream stream;
    private final Mover mover;

    /** What a mark of this one says. The same in each of its calls, so that one whose reply was lost can be repeated. */
    private final String mine = "replaying " + UUID.randomUUID();

    private final Object replaying = new Object();

    private RedisDeadLetterOutbox(Outbox outbox, DeadStream stream) {
        this.outbox = outbox;
        this.stream = stream;
        this.mover = new Mover(outbox, stream);
    }

    /**
     * Begins to move what is dead.
     *
     * @param outbox this replica's own; closed with this one
     */
    public static RedisDeadLetterOutbox over(Outbox outbox, RedisSettings settings) {
        RedisDeadLetterOutbox it = new RedisDeadLetterOutbox(outbox, new DeadStream(settings));
        it.mover.start();
        return it;
    }

    @Override
    public List<Boolean> settle(List<Settlement> settlements) {
        List<Boolean> settled = outbox.settle(settlements);
        if (settlements.stream().anyMatch(it -> it instanceof Settlement.Dead)) {
            mover.wake();
        }
        return settled;
    }

    /**
     * First what is still in this outbox, then what is in Redis. While Redis is away, a page ends with this outbox's own
     * entries, and the page behind them fails.
     *
     * @throws IllegalArgumentException when {@code after} is no entry's id
     */
    @Override
    public List<DeadLetter> dead(DeadLetters.Filter filter) {
        if (filter.after().filter(DeadStream::isId).isPresent()) {
            return stream.list(filter, filter.limit());
        }
        List<DeadLetter> letters = new ArrayList<>();
        outbox.dead(local(filter)).forEach(it -> letters.add(named(it)));
        if (letters.size() < filter.limit()) {
            try {
                letters.addAll(stream.list(filter, filter.limit() - letters.size()));
            } catch (OutboxUnavailableException away) {
                if (letters.isEmpty()) {
                    throw away;
                }
            }
        }
        return letters;
    }

    private static DeadLetters.Filter local(DeadLetters.Filter filter) {
        return filter.after()
                .map(it -> LocalId.parse(it)
                        .orElseThrow(() -> new IllegalArgumentException("after is no id of a dead letter")))
                .map(it -> filter.after(it.row()))
                .orElse(filter);
    }

    private static DeadLetter named(DeadLetter letter) {
        return new DeadLetter(
                LocalId.of(letter).toString(),
                letter.event(),
                letter.attempts(),
                letter.error(),
                letter.firstAttempt(),
                letter.since(),
                letter.notBefore(),
                letter.replayed());
    }

    /** One that was replayed from Redis is found no more. */
    @Override
    public Optional<DeadLetter> dead(String id) {
        Optional<LocalId> local = LocalId.parse(id);
        return local.isPresent() ? own(local.get()).map(RedisDeadLetterOutbox::named) : stream.get(id);
    }

    private Optional<DeadLetter> own(LocalId id) {
        return outbox.dead(id.row()).filter(id::isOf);
    }

    @Override
    public Replay replay(String id, Optional<Duration> window) {
        Optional<LocalId> local = LocalId.parse(id);
        if (local.isPresent()) {
            return own(local.get()).map(it -> outbox.replay(it.id(), window)).orElse(Replay.UNKNOWN);
        }
        if (!DeadStream.isId(id)) {
            return Replay.UNKNOWN;
        }
        synchronized (replaying) {
            return stream.mark(id, mine).equals(mine) ? replayMarked(id, window) : Replay.ALREADY_REPLAYED;
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
        } catch (RuntimeException trouble) {
            unmark(id);
            throw trouble;
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
            stream.unmark(id);
        } catch (OutboxUnavailableException away) {
            LOG.log(Level.DEBUG, "a mark ends by itself");
        }
    }

    private void remove(String id) {
        try {
            stream.remove(id);
            stream.markReplayed(id);
        } catch (OutboxUnavailableException away) {
            LOG.log(
                    Level.WARNING,
                    "EXON0723 dead letter {0} is replayed, and Redis may still list it; a second replay removes it",
                    id);
        }
    }

    /** Not while it is being replayed; where both begin at once, it may be sent though this says that it is gone. */
    @Override
    public boolean discard(String id) {
        Optional<LocalId> local = LocalId.parse(id);
        if (local.isPresent()) {
            return own(local.get()).isPresent() && outbox.discard(local.get().row());
        }
        return DeadStream.isId(id)
                && stream.markOf(id).map(DeadStream.REPLAYED::equals).orElse(true)
                && stream.remove(id);
    }

    @Override
    public boolean moved(DeadLetter letter) {
        return outbox.moved(letter);
    }

    @Override
    public Replay restore(DeadLetter letter, Optional<Duration> window) {
        return outbox.restore(letter, window);
    }

    @Override
    public Enqueued enqueue(OutgoingEvent event, Optional<Duration> lease) {
        return outbox.enqueue(event, lease);
    }

    @Override
    public Set<String> due() {
        return outbox.due();
    }

    @Override
    public List<ClaimedEvent> claim(String endpoint, int most, Duration lease) {
        return outbox.claim(endpoint, most, lease);
    }

    @Override
    public boolean renew(ClaimedEvent event, Duration lease) {
        return outbox.renew(event, lease);
    }

    @Override
    public void disable(String endpoint, String reason) {
        outbox.disable(endpoint, reason);
    }

    @Override
    public boolean enable(String endpoint) {
        return outbox.enable(endpoint);
    }

    @Override
    public Map<String, String> disabled() {
        return outbox.disabled();
    }

    @Override
    public long strayed(Collection<String> endpoints) {
        return outbox.strayed(endpoints);
    }

    @Override
    public int purge(Duration retention, int most) {
        return outbox.purge(retention, most);
    }

    @Override
    public void close() {
        mover.close();
        stream.close();
        outbox.close();
    }
}
