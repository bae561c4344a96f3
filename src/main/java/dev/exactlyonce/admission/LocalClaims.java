package dev.exactlyonce.admission;

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
 * This replica's own keys, asked before the store: what runs here is in flight, whatever the store says or cannot say,
 * and what was recorded here lately is a duplicate without asking. Thread-safe.
 *
 * <p>A key whose handler runs on a thread of ours stays until that thread comes back, also past the lease, but never longer
 * than {@code maxHold} and then the rest of its lease: a handler that hangs must not hold its key on this replica when it no
 * longer holds it anywhere else. A key whose work is out of sight (a stage, work given up on) stays until it is settled or
 * its lease ends. Records go out first in, first out, at {@code capacity} or at the end of their TTL. Of their answers some
 * megabytes are held, the latest; the store has them all.
 */
final class LocalClaims {
    /**
     * @param until the end of the lease or TTL, on the ticker
     * @param held while a thread of ours runs the handler
     * @param heldUntil when that thread is waited for no longer
     */
    private record LocalClaim(Claim claim, int status, long until, boolean held, long heldUntil) {
        LocalClaim(Claim claim, int status, long until) {
            this(claim, status, until, false, until);
        }

        LocalClaim extended(long newUntil) {
            return new LocalClaim(claim, status, newUntil, held, heldUntil);
        }

        boolean isRecorded() {
            return status > 0;
        }

        boolean isOf(Claim other) {
            return claim.owner().equals(other.owner()) && !isRecorded();
        }

        boolean hasEnded(long now) {
            return until - now <= 0 && (!held || heldUntil - now <= 0);
        }

        Duration left(long now) {
            return Duration.ofNanos(Math.max(0, until - now));
        }

        String key() {
            return claim.key().value();
        }
    }

    /** By the difference, as the ticker may overflow. */
    private static final Comparator<LocalClaim> BY_END = ((Comparator<LocalClaim>)
                    (one, two) -> Long.signum(one.until() - two.until()))
            .thenComparing(it -> it.claim().owner());

    private final ConcurrentHashMap<String, LocalClaim> entries = new ConcurrentHashMap<>();
    private final NavigableSet<LocalClaim> unattended = new ConcurrentSkipListSet<>(BY_END);
    private final ArrayDeque<LocalClaim> remembered = new ArrayDeque<>();
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

    /** What a claim on this key would be refused with: told to a copy before it has a claim of its own. */
    Optional<Reservation> find(DeliveryKey key) {
        long now = ticker.getAsLong();
        return Optional.ofNullable(entries.get(key.value()))
                .filter(it -> !it.hasEnded(now))
                .map(it -> refusal(it, now));
    }

    /** Enters the claim's key unless it is there: granted means that this claim may ask the store. */
    Reservation enter(Claim claim) {
        long now = ticker.getAsLong();
        sweep(now);
        LocalClaim mine = new LocalClaim(claim, 0, now + claim.lease().toNanos(), true, now + maxHold.toNanos());
        LocalClaim there = entries.compute(mine.key(), (key, old) -> old == null || old.hasEnded(now) ? mine : old);
        return there.claim().owner().equals(claim.owner()) ? new Reservation.Granted() : refusal(there, now);
    }

    private Reservation refusal(LocalClaim there, long now) {
        return there.isRecorded()
                ? new Reservation.AlreadyRecorded(there.claim().fingerprint(), answerOf(there))
                : new Reservation.AlreadyClaimed(there.claim().fingerprint(), there.left(now));
    }

    private RecordedAnswer answerOf(LocalClaim record) {
        return answers.find(record.claim().owner(), record.status());
    }

    /**
     * Forgets the claim: it was not granted, or its work ended without a record.
     *
     * @return whether it was here
     */
    boolean leave(Claim claim) {
        LocalClaim there = entries.get(claim.key().value());
        entries.computeIfPresent(claim.key().value(), (key, old) -> old.isOf(claim) ? settled(old, null) : old);
        return there != null && there.isOf(claim);
    }

    /** The claim's work has left our threads: from now on its key is held only until its lease ends. */
    void leaveThread(Claim claim) {
        entries.computeIfPresent(claim.key().value(), (key, old) -> {
            if (!old.isOf(claim) || !old.held()) {
                return old;
            }
            LocalClaim unseen = new LocalClaim(claim, 0, old.until());
            unattended.add(unseen);
            return unseen;
        });
    }

    /** The claim's work is known to run still: its lease counts from this moment on the ticker. */
    void extend(Claim claim, long from) {
        entries.computeIfPresent(claim.key().value(), (key, old) -> {
            if (!old.isOf(claim)) {
                return old;
            }
            LocalClaim longer = old.extended(from + claim.lease().toNanos());
            if (!old.held()) {
                unattended.remove(old);
                unattended.add(longer);
            }
            return longer;
        });
    }

    /** Remembers the claim's record, unless another claim has entered since. */
    void remember(Claim claim, RecordedAnswer answer, Duration ttl) {
        if (capacity == 0) {
            leave(claim);
            return;
        }
        LocalClaim record = new LocalClaim(claim, answer.status(), ticker.getAsLong() + ttl.toNanos());
        answers.put(claim, answer);
        LocalClaim there = entries.compute(
                record.key(), (key, old) -> old == null || old.isOf(claim) ? settled(old, record) : old);
        if (!there.equals(record)) {
            answers.remove(claim);
            return;
        }
        LocalClaim oldest = null;
        synchronized (remembered) {
            remembered.add(record);
            if (remembered.size() > capacity) {
                oldest = remembered.poll();
            }
        }
        if (oldest != null) {
            entries.remove(oldest.key(), oldest);
            answers.remove(oldest.claim());
        }
    }

    /** What is remembered and has not ended, the oldest first: what a store that lost its keys is told again. */
    List<Remembered> remembered() {
        long now = ticker.getAsLong();
        synchronized (remembered) {
            return remembered.stream()
                    .filter(it -> !it.hasEnded(now))
                    .map(it -> new Remembered(it.claim(), answerOf(it), it.left(now)))
                    .toList();
        }
    }

    /** Whether no key is held or remembered, and no end of a lease waited for. */
    boolean isEmpty() {
        return entries.isEmpty() && unattended.isEmpty();
    }

    private @Nullable LocalClaim settled(@Nullable LocalClaim old, @Nullable LocalClaim next) {
        if (old != null && !old.held()) {
            unattended.remove(old);
        }
        return next;
    }

    /** In the order in which the leases end, whatever their lengths: a long one must not keep the others here. */
    private void sweep(long now) {
        for (var it = unattended.iterator(); it.hasNext(); ) {
            LocalClaim next = it.next();
            if (!next.hasEnded(now)) {
                return;
            }
            it.remove();
            entries.remove(next.key(), next);
        }
    }
}
