package dev.exactlyonce.store.memory;

import dev.exactlyonce.spi.AnswerCache;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.spi.StoredValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the keys in this process. Nothing survives it and no other replica sees it. Bounded: when full it removes the
 * oldest record and reports that; a claim is never removed. The latest 64 MiB of the records' answers are kept. Thread-safe, behind one lock.
 */
public final class MemoryStore implements FallbackStore {
    /** How many keys are kept by default. */
    public static final int DEFAULT_CAPACITY = 100_000;

    private static final long MOST_OF_ANSWERS = 64 << 20;

    /** Looking at every row is too much for each admission into a full store. */
    private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

    private record HeldValue(StoredValue value, Instant expiresAt, long fence) {}

    private final int capacity;
    private final InstantSource clock;
    private final Consumer<Instant> onEviction;
    private final Map<String, HeldValue> claims = new HashMap<>();
    private final LinkedHashMap<String, HeldValue> records = new LinkedHashMap<>();
    private final AnswerCache answers = new AnswerCache(MOST_OF_ANSWERS);
    private Instant nextSweep = Instant.MIN;
    private long lastFence;

    /**
     * @param capacity how many keys are kept, at least 1
     * @param onEviction receives, for each record that was removed early, the time at which it would have ended
     */
    public MemoryStore(int capacity, InstantSource clock, Consumer<Instant> onEviction) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be > 0, was " + capacity);
        }
        this.capacity = capacity;
        this.clock = clock;
        this.onEviction = onEviction;
    }

    @Override
    public synchronized Reservation reserve(Claim claim) {
        HeldValue row = liveRow(claim.key());
        if (row == null) {
            makeRoom();
            hold(claim, nextFence());
            return new Reservation.Granted(lastFence);
        }
        return !row.value().isRecorded() && row.value().isOwnedBy(claim)
                ? new Reservation.Granted(row.fence())
                : refusal(row);
    }

    private Reservation refusal(HeldValue row) {
        StoredValue value = row.value();
        return value.isRecorded()
                ? new Reservation.AlreadyRecorded(
                        value.fingerprint(),
                        answers.find(value.owner(), value.answer().status()))
                : new Reservation.AlreadyClaimed(value.fingerprint(), left(row));
    }

    @Override
    public synchronized Optional<Reservation> find(DeliveryKey key) {
        return Optional.ofNullable(liveRow(key)).map(this::refusal);
    }

    @Override
    public synchronized boolean isEmpty() {
        Instant now = clock.instant();
        return Stream.concat(claims.values().stream(), records.values().stream())
                .noneMatch(row -> row.expiresAt().isAfter(now));
    }

    @Override
    public synchronized Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
        HeldValue row = liveRow(claim.key());
        if (row != null && !row.value().isOwnedBy(claim)) {
            boolean running = !row.value().isRecorded();
            return new Recording.OwnedByAnother(running, running ? left(row) : Duration.ZERO);
        }
        if (row == null) {
            makeRoom();
        }
        if (row == null || !row.value().isRecorded()) {
            claims.remove(claim.key().value());
            answers.put(claim, answer);
            records.put(
                    claim.key().value(),
                    new HeldValue(
                            StoredValue.recorded(claim, RecordedAnswer.of(answer.status())),
                            clock.instant().plus(ttl),
                            0));
        }
        return new Recording.Written();
    }

    @Override
    public synchronized boolean release(Claim claim) {
        HeldValue row = liveRow(claim.key());
        boolean mine = row != null && !row.value().isRecorded() && row.value().isOwnedBy(claim);
        if (mine) {
            claims.remove(claim.key().value());
        }
        return mine;
    }

    @Override
    public synchronized List<Renewal> renewAll(List<Claim> renewed) {
        return Renewal.requireAny(renewed.stream().map(this::renewed).toList());
    }

    private Renewal renewed(Claim claim) {
        HeldValue row = liveRow(claim.key());
        if (row != null && !row.value().isOwnedBy(claim)) {
            return Renewal.LOST;
        }
        if (row == null) {
            try {
                makeRoom();
            } catch (StoreUnavailableException full) {
                return new Renewal.Unanswered(full);
            }
        }
        if (row == null || !row.value().isRecorded()) {
            hold(claim, row == null ? 0 : row.fence());
        }
        return Renewal.HELD;
    }

    @Override
    public synchronized void probe() {
        Instant now = clock.instant();
        if (claims.values().stream().filter(row -> row.expiresAt().isAfter(now)).count() >= capacity) {
            throw full();
        }
    }

    @Override
    public void close() {}

    private void hold(Claim claim, long fence) {
        claims.put(
                claim.key().value(),
                new HeldValue(StoredValue.inFlight(claim), clock.instant().plus(claim.lease()), fence));
    }

    /** One counter for all keys, which goes on from the time: a process that starts again does not begin again. */
    private long nextFence() {
        lastFence = Math.max(lastFence + 1, ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
        return lastFence;
    }

    private @Nullable HeldValue liveRow(DeliveryKey deliveryKey) {
        String key = deliveryKey.value();
        HeldValue row = claims.containsKey(key) ? claims.get(key) : records.get(key);
        if (row != null && !row.expiresAt().isAfter(clock.instant())) {
            claims.remove(key);
            records.remove(key);
            return null;
        }
        return row;
    }

    private void makeRoom() {
        if (claims.size() + records.size() < capacity) {
            return;
        }
        Instant now = clock.instant();
        if (!now.isBefore(nextSweep)) {
            claims.values().removeIf(row -> !row.expiresAt().isAfter(now));
            records.values().removeIf(row -> !row.expiresAt().isAfter(now));
            nextSweep = now.plus(SWEEP_EVERY);
        }
        if (claims.size() + records.size() < capacity) {
            return;
        }
        var oldest = records.values().iterator();
        if (!oldest.hasNext()) {
            throw full();
        }
        HeldValue evicted = oldest.next();
        oldest.remove();
        if (evicted.expiresAt().isAfter(now)) {
            onEviction.accept(evicted.expiresAt());
        }
    }

    private static StoreUnavailableException full() {
        return new StoreUnavailableException("the memory store is full of claims");
    }

    private Duration left(HeldValue row) {
        Duration left = Duration.between(clock.instant(), row.expiresAt());
        return left.isNegative() ? Duration.ZERO : left;
    }
}
