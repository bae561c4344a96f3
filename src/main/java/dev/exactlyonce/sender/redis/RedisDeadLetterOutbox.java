package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    private final Outbox outbox;
    private final Connection connection;
    private final DeadLetterStream stream;
    private final DeadLetterReplayer replays;
    private final DeadLetterTransfer mover;

    private RedisDeadLetterOutbox(Outbox outbox, RedisSettings settings) {
        this.outbox = outbox;
        this.connection = new Connection(settings);
        this.stream = new DeadLetterStream(connection, settings);
        this.replays = new DeadLetterReplayer(outbox, stream, new ReplayLocks(connection, settings));
        this.mover = new DeadLetterTransfer(outbox, stream);
    }

    /**
     * Begins to move what is dead.
     *
     * @param outbox this replica's own; closed with this one
     */
    public static RedisDeadLetterOutbox over(Outbox outbox, RedisSettings settings) {
        RedisDeadLetterOutbox it = new RedisDeadLetterOutbox(outbox, settings);
        it.mover.start();
        return it;
    }

    @Override
    public List<Boolean> settle(List<AttemptResult> settlements) {
        List<Boolean> settled = outbox.settle(settlements);
        if (settlements.stream().anyMatch(it -> it instanceof AttemptResult.Exhausted)) {
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
        if (filter.after().filter(DeadLetterStream::isId).isPresent()) {
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
        return replays.replay(id, window);
    }

    /** Not while it is being replayed; where both begin at once, it may be sent though this says that it is gone. */
    @Override
    public boolean discard(String id) {
        Optional<LocalId> local = LocalId.parse(id);
        if (local.isPresent()) {
            return own(local.get()).isPresent() && outbox.discard(local.get().row());
        }
        return replays.discard(id);
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
        connection.close();
        outbox.close();
    }
}
