package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This replica's own keys, asked before the store: what runs here is in flight, whatever the store says or cannot say,
 * and what was recorded here lately is a duplicate without asking. Thread-safe.
 *
 * <p>A key whose handler runs on a thread of ours stays until that thread comes back, also past the lease. A key whose
 * work is out of sight (a stage, work given up on) stays until it is settled or its lease ends. Records go out first in,
 * first out, at {@code capacity} or at the end of their TTL.
 */
final class Registry {
    /** {@code until} is on the ticker; {@code held} while a thread of ours runs the handler. */
    private record Entry(String owner, Fingerprint fingerprint, int status, long until, boolean held) {
        boolean isRecorded() {
            return status > 0;
        }
    }

    private record Aged(String key, Entry entry) {}

    /** By the difference, as the ticker may overflow. */
    private static final Comparator<Aged> BY_END = ((Comparator<Aged>)
                    (one, two) -> Long.signum(one.entry().until() - two.entry().until()))
            .thenComparing(it -> it.entry().owner());

    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final NavigableSet<Aged> unattended = new ConcurrentSkipListSet<>(BY_END);
    private final ArrayDeque<Aged> remembered = new ArrayDeque<>();
    private final int capacity;
    private final LongSupplier ticker;

    /** @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime} */
    Registry(int capacity, LongSupplier ticker) {
        if (capacity < 0) {
            throw new IllegalArgumentException("remember must be >= 0, was " + capacity);
        }
        this.capacity = capacity;
        this.ticker = ticker;
    }

    /** Enters the claim's key unless it is there: granted means that this claim may ask the store. */
    Reservation enter(Claim claim) {
        long now = ticker.getAsLong();
        sweep(now);
        Entry mine = new Entry(
                claim.owner(), claim.fingerprint(), 0, now + claim.lease().toNanos(), true);
        Entry there =
                entries.compute(claim.key().value(), (key, old) -> old == null || hasEnded(old, now) ? mine : old);
        if (there.owner().equals(claim.owner())) {
            return new Reservation.Granted();
        }
        return there.isRecorded()
                ? new Reservation.Recorded(there.fingerprint(), there.status())
                : new Reservation.InFlight(there.fingerprint(), left(there, now));
    }

    /** Forgets the claim: it was not granted, or its work ended without a record. */
    void leave(Claim claim) {
        entries.computeIfPresent(claim.key().value(), (key, old) -> isOf(claim, old) ? settled(key, old, null) : old);
    }

    /** The claim's work has left our threads: from now on its key is held only until its lease ends. */
    void loseSight(Claim claim) {
        entries.computeIfPresent(claim.key().value(), (key, old) -> {
            if (!isOf(claim, old) || !old.held()) {
                return old;
            }
            Entry unseen = new Entry(old.owner(), old.fingerprint(), 0, old.until(), false);
            unattended.add(new Aged(key, unseen));
            return unseen;
        });
    }

    /** Remembers the claim's record, unless another claim has entered since. */
    void remember(Claim claim, int status, Duration ttl) {
        if (capacity == 0) {
            leave(claim);
            return;
        }
        Entry record = new Entry(claim.owner(), claim.fingerprint(), status, ticker.getAsLong() + ttl.toNanos(), false);
        Entry there = entries.compute(
                claim.key().value(), (key, old) -> old == null || isOf(claim, old) ? settled(key, old, record) : old);
        if (!there.equals(record)) {
            return;
        }
        Aged oldest = null;
        synchronized (remembered) {
            remembered.add(new Aged(claim.key().value(), record));
            if (remembered.size() > capacity) {
                oldest = remembered.poll();
            }
        }
        if (oldest != null) {
            entries.remove(oldest.key(), oldest.entry());
        }
    }

    /** How much of the lease is left; zero once it has ended or the claim is settled. */
    Duration leaseLeft(Claim claim) {
        Entry entry = entries.get(claim.key().value());
        return entry == null || !isOf(claim, entry) ? Duration.ZERO : left(entry, ticker.getAsLong());
    }

    /** Whether no key is held or remembered, and no end of a lease waited for. */
    boolean isEmpty() {
        return entries.isEmpty() && unattended.isEmpty();
    }

    private @Nullable Entry settled(String key, @Nullable Entry old, @Nullable Entry next) {
        if (old != null && !old.held()) {
            unattended.remove(new Aged(key, old));
        }
        return next;
    }

    /** In the order in which the leases end, whatever their lengths: a long one must not keep the others here. */
    private void sweep(long now) {
        for (var it = unattended.iterator(); it.hasNext(); ) {
            Aged next = it.next();
            if (!hasEnded(next.entry(), now)) {
                return;
            }
            it.remove();
            entries.remove(next.key(), next.entry());
        }
    }

    private static boolean isOf(Claim claim, Entry entry) {
        return entry.owner().equals(claim.owner()) && !entry.isRecorded();
    }

    private static boolean hasEnded(Entry entry, long now) {
        return !entry.held() && entry.until() - now <= 0;
    }

    private static Duration left(Entry entry, long now) {
        return Duration.ofNanos(Math.max(0, entry.until() - now));
    }
}
