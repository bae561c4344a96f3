package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

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

    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final Queue<Aged> unattended = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Aged> remembered = new ArrayDeque<>();
    private final int capacity;
    private final LongSupplier ticker;

    /** @param ticker nanoseconds of a clock that only moves forward, as {@link System#nanoTime} */
    Registry(int capacity, LongSupplier ticker) {
        this.capacity = capacity;
        this.ticker = ticker;
    }

    /** Enters the claim's key unless it is there: granted means that this claim may ask the store. */
    Reservation enter(Claim claim) {
        long now = ticker.getAsLong();
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
        entries.computeIfPresent(claim.key().value(), (key, old) -> isOf(claim, old) ? null : old);
    }

    /** The claim's work has left our threads: from now on its key is held only until its lease ends. */
    void loseSight(Claim claim) {
        Entry left = entries.computeIfPresent(
                claim.key().value(),
                (key, old) ->
                        isOf(claim, old) ? new Entry(old.owner(), old.fingerprint(), 0, old.until(), false) : old);
        if (left != null && isOf(claim, left)) {
            unattended.add(new Aged(claim.key().value(), left));
        }
        sweep(ticker.getAsLong());
    }

    /** Remembers the claim's record, unless another claim has entered since. */
    void remember(Claim claim, int status, Duration ttl) {
        if (capacity == 0) {
            leave(claim);
            return;
        }
        Entry record = new Entry(claim.owner(), claim.fingerprint(), status, ticker.getAsLong() + ttl.toNanos(), false);
        Entry there =
                entries.compute(claim.key().value(), (key, old) -> old == null || isOf(claim, old) ? record : old);
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

    private void sweep(long now) {
        for (Aged head = unattended.peek(); head != null && hasEnded(head.entry(), now); head = unattended.peek()) {
            if (unattended.remove(head)) {
                entries.remove(head.key(), head.entry());
            }
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
