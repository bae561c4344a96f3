package dev.exactlyonce.admission;

import dev.exactlyonce.spi.AnswerCache;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of this replica, asked before the store: what runs here is in flight, whatever the store says or cannot say,
 * and what was recorded here lately is a duplicate without asking it. Thread-safe.
 *
 * <p>A key whose handler runs on a thread of ours stays until that thread comes back, also past the lease, but never longer
 * than {@code maxHold} and then the rest of its lease: a handler that hangs must not hold its key on this replica when it no
 * longer holds it anywhere else. A key whose work is not on a thread of ours (a stage, work given up) stays until it is settled or
 * its lease ends. Records go out first in, first out, at {@code capacity} or at the end of their TTL. The latest answers are
 * held, up to some megabytes; the store has them all.
 */
final class LocalClaims {
    /** What stands under a key while no thread of ours runs its handler, or while one does. */
    private sealed interface LocalClaim {
        LocalEntry entry();

        /** Whether it stands no longer at this moment on the ticker. */
        boolean hasEnded(long now);

        default String key() {
            return entry().claim().key().value();
        }

        default boolean isOf(Claim other) {
            return entry().claim().owner().equals(other.owner()) && !entry().isRecorded();
        }
    }

    /** A record, or a claim whose work is not on a thread of ours. */
    private record Unattended(LocalEntry entry) implements LocalClaim {
        @Override
        public boolean hasEnded(long now) {
            return entry.hasEnded(now);
        }
    }

    /**
     * A claim whose handler runs on a thread of ours.
     *
     * @param awaitedUntil when that thread is awaited no longer
     */
    private record OnThread(LocalEntry entry, long awaitedUntil) implements LocalClaim {
        @Override
        public boolean hasEnded(long now) {
            return entry.hasEnded(now) && awaitedUntil - now <= 0;
        }
    }

    /** By the difference, as the ticker may overflow. */
    private static final Comparator<LocalEntry> BY_END = ((Comparator<LocalEntry>)
                    (one, two) -> Long.signum(one.until() - two.until()))
            .thenComparing(it -> it.claim().owner());

    private final ConcurrentHashMap<String, LocalClaim> entries = new ConcurrentHashMap<>();
    private final NavigableSet<LocalEntry> unattended = new ConcurrentSkipListSet<>(BY_END);
    private final ArrayDeque<LocalEntry> remembered = new ArrayDeque<>();
    private final AnswerCache answers = new AnswerCache(AnswerCache.DEFAULT_SIZE);
    private final int capacity;
    private final Duration maxHold;
    private final LongSupplier ticker;

    /**
     * @param maxHold how long a thread of ours holds a key past its lease, at most
     * @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime}
     */
    LocalClaims(int capacity, Duration maxHold, LongSupplier ticker) {
        if (capacity < 0) {
            throw new IllegalArgumentException("remember must be >= 0, was " + capacity);
        }
        this.capacity = capacity;
        this.maxHold = maxHold;
        this.ticker = ticker;
    }

    /** What a claim on this key would be refused with: asked before a copy has a claim of its own. */
    Optional<Reservation> find(DeliveryKey key) {
        long now = ticker.getAsLong();
        return Optional.ofNullable(entries.get(key.value()))
                .filter(it -> !it.hasEnded(now))
                .map(it -> refusal(it.entry(), now));
    }

    /** Enters the claim's key unless it is there: granted means that this claim may ask the store. */
    Reservation enter(Claim claim) {
        long now = ticker.getAsLong();
        sweep(now);
        LocalClaim mine = new OnThread(LocalEntry.claimed(claim, now), now + maxHold.toNanos());
        LocalEntry there = entries.compute(mine.key(), (key, old) -> old == null || old.hasEnded(now) ? mine : old)
                .entry();
        return there.claim().owner().equals(claim.owner()) ? new Reservation.Granted(0) : refusal(there, now);
    }

    private Reservation refusal(LocalEntry there, long now) {
        return there.isRecorded()
                ? there.withAnswerOf(answers).alreadyRecorded()
                : new Reservation.AlreadyClaimed(there.claim().fingerprint(), there.left(now));
    }

    /**
     * Forgets the claim: it was not granted, or its work ended without a record.
     *
     * @return whether it was here
     */
    boolean leave(Claim claim) {
        LocalClaim there = entries.get(claim.key().value());
        entries.computeIfPresent(claim.key().value(), (key, old) -> old.isOf(claim) ? replaced(old, null) : old);
        return there != null && there.isOf(claim);
    }

    /** The claim's work has left our threads: from now on its key is held only until its lease ends. */
    void leaveThread(Claim claim) {
        entries.computeIfPresent(claim.key().value(), (key, old) -> {
            if (!old.isOf(claim) || !(old instanceof OnThread)) {
                return old;
            }
            unattended.add(old.entry());
            return new Unattended(old.entry());
        });
    }

    /** The claim's work is known to run still: its lease counts from this moment on the ticker. */
    void extend(Claim claim, long from) {
        LocalEntry longer = LocalEntry.claimed(claim, from);
        entries.computeIfPresent(claim.key().value(), (key, old) -> {
            if (!old.isOf(claim)) {
                return old;
            }
            if (old instanceof OnThread it) {
                return new OnThread(longer, it.awaitedUntil());
            }
            unattended.remove(old.entry());
            unattended.add(longer);
            return new Unattended(longer);
        });
    }

    /** Remembers the claim's record, unless another claim has entered since. */
    void remember(Claim claim, RecordedAnswer answer, Duration ttl) {
        if (capacity == 0) {
            leave(claim);
            return;
        }
        LocalEntry entry =
                LocalEntry.recorded(claim, answer, ttl, ticker.getAsLong()).tombstone();
        LocalClaim record = new Unattended(entry);
        answers.put(claim, answer);
        LocalClaim there = entries.compute(
                record.key(), (key, old) -> old == null || old.isOf(claim) ? replaced(old, record) : old);
        if (!there.equals(record)) {
            answers.remove(claim);
            return;
        }
        LocalEntry oldest = null;
        synchronized (remembered) {
            remembered.add(entry);
            if (remembered.size() > capacity) {
                oldest = remembered.poll();
            }
        }
        if (oldest != null) {
            entries.remove(oldest.claim().key().value(), new Unattended(oldest));
            answers.remove(oldest.claim());
        }
    }

    /** The records that have not ended, the oldest first: what is written again to a store that lost its keys. */
    List<LocalEntry> remembered() {
        long now = ticker.getAsLong();
        synchronized (remembered) {
            return remembered.stream()
                    .filter(it -> !it.hasEnded(now))
                    .map(it -> it.withAnswerOf(answers))
                    .toList();
        }
    }

    /** Whether no key is held or remembered, and no end of a lease awaited. */
    boolean isEmpty() {
        return entries.isEmpty() && unattended.isEmpty();
    }

    private @Nullable LocalClaim replaced(@Nullable LocalClaim old, @Nullable LocalClaim next) {
        if (old instanceof Unattended) {
            unattended.remove(old.entry());
        }
        return next;
    }

    /** In the order in which the leases end, whatever their lengths: a long one must not keep the others here. */
    private void sweep(long now) {
        for (var it = unattended.iterator(); it.hasNext(); ) {
            LocalEntry next = it.next();
            if (!next.hasEnded(now)) {
                return;
            }
            it.remove();
            entries.remove(next.claim().key().value(), new Unattended(next));
        }
    }
}
