package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.DeadLetters.Replay;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import dev.exactlyonce.sender.spi.LocalDeadLetters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Dead letters in a stream of Redis, which replicas with an outbox each share.
 *
 * <pre>
 * Exhausted → the outbox's own dead letter ──add, then moved──→ entry in Redis ──restore, then remove──→ any outbox
 * </pre>
 *
 * An event is always in an outbox or in Redis: it leaves the one when the other has it, even if something fails in between. What
 * fails there leaves it in both, and it may be sent twice, under the same key. While Redis is away, dead letters stay in
 * this outbox, are listed there by ids that begin with {@code local-}, and are moved once Redis is back.
 *
 * <p>Listing and replaying what is in Redis throw {@link OutboxUnavailableException} while it is away.
 * What Redis forgets is lost: it needs a disk ({@code appendonly yes}) and {@code maxmemory-policy noeviction}. Thread-safe.
 */
public final class RedisDeadLetters implements DeadLetterStore {
    private final LocalDeadLetters outbox;
    private final DeadLetterClient connection;
    private final DeadLetterStream stream;
    private final DeadLetterReplayer replays;
    private final DeadLetterTransfer mover;

    private RedisDeadLetters(LocalDeadLetters outbox, RedisSettings settings) {
        this.outbox = outbox;
        this.connection = new DeadLetterClient(settings);
        this.stream = new DeadLetterStream(connection, settings);
        this.replays = new DeadLetterReplayer(outbox, stream, new ReplayLocks(connection, settings));
        this.mover = new DeadLetterTransfer(outbox, stream);
    }

    /**
     * Begins to move what is dead.
     *
     * @param outbox this replica's own; stays open
     */
    public static RedisDeadLetters over(LocalDeadLetters outbox, RedisSettings settings) {
        RedisDeadLetters it = new RedisDeadLetters(outbox, settings);
        it.mover.start();
        return it;
    }

    @Override
    public void added() {
        mover.wake();
    }

    /**
     * First what is still in this outbox, then what is in Redis. While Redis is away, a page ends with this outbox's own
     * entries, and the page behind them fails.
     *
     * @throws IllegalArgumentException when {@code after} is not an entry's id
     */
    @Override
    public List<DeadLetter> list(DeadLetters.Filter filter) {
        if (filter.after().filter(DeadLetterStream::isId).isPresent()) {
            return stream.list(filter, filter.limit());
        }
        List<DeadLetter> letters = new ArrayList<>();
        outbox.list(local(filter)).forEach(it -> letters.add(named(it)));
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
                        .orElseThrow(() -> new IllegalArgumentException("after is not the id of a dead letter")))
                .map(it -> filter.after(it.row()))
                .orElse(filter);
    }

    private static DeadLetter named(DeadLetter letter) {
        return letter.withId(LocalId.of(letter).toString());
    }

    /** One that was replayed from Redis is found no more. */
    @Override
    public Optional<DeadLetter> get(String id) {
        Optional<LocalId> local = LocalId.parse(id);
        return local.isPresent() ? own(local.get()).map(RedisDeadLetters::named) : stream.get(id);
    }

    private Optional<DeadLetter> own(LocalId id) {
        return outbox.get(id.row()).filter(id::isOf);
    }

    @Override
    public Replay replay(String id, Optional<Duration> window) {
        Optional<LocalId> local = LocalId.parse(id);
        if (local.isPresent()) {
            return own(local.get()).map(it -> outbox.replay(it.id(), window)).orElse(Replay.UNKNOWN);
        }
        return replays.replay(id, window);
    }

    /** Not while it is being replayed; where both begin at once, it may be sent although this returns true. */
    @Override
    public boolean discard(String id) {
        Optional<LocalId> local = LocalId.parse(id);
        if (local.isPresent()) {
            return own(local.get()).isPresent() && outbox.discard(local.get().row());
        }
        return replays.discard(id);
    }

    @Override
    public void close() {
        mover.close();
        connection.close();
    }
}
