package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The leases of the handlers that run here, renewed together. A renewal that fails is tried again at the next tick, also
 * after the lease has ended: nobody may have taken the key. Thread-safe; ticks come one after the other.
 */
final class Leases {
    private final Map<String, Lease> held = new ConcurrentHashMap<>(); // by owner token
    private final GuardedStore store;
    private final Registry registry;
    private final Duration maxHold;
    private final LongSupplier ticker;
    private final Executor teller;

    /**
     * @param maxHold how long a claim is renewed at most: work that never ends must not hold its key for ever
     * @param teller runs what wants to hear of a loss
     */
    Leases(GuardedStore store, Registry registry, Duration maxHold, LongSupplier ticker, Executor teller) {
        this.store = store;
        this.registry = registry;
        this.maxHold = maxHold;
        this.ticker = ticker;
        this.teller = teller;
    }

    Lease begin(PreparedDelivery delivery, Claim claim, long askedAt, boolean confirmed) {
        Lease lease = new Lease(delivery, claim, askedAt, confirmed, ticker, teller);
        held.put(claim.owner(), lease);
        return lease;
    }

    /** To be called before the claim is recorded or released. */
    void end(Lease lease, boolean toBeReleased) {
        lease.end(toBeReleased);
        held.remove(lease.claim().owner());
    }

    /**
     * Renews what would be older than a third of its lease at the next tick, in one call.
     *
     * @return the deliveries whose leases were lost since the last time, and whose handlers still run
     */
    List<PreparedDelivery> renew(Duration tick) {
        long now = ticker.getAsLong();
        List<PreparedDelivery> losses = new ArrayList<>(tellLosses()); // a lease that ended was lost, even if won again
        List<Lease> due = held.values().stream()
                .filter(it -> it.beginRenewal(now, tick, maxHold))
                .toList();
        if (!due.isEmpty()) {
            renew(due, now);
            losses.addAll(tellLosses());
        }
        held.values().removeIf(it -> it.isGivenUp(now, maxHold));
        return losses;
    }

    private List<PreparedDelivery> tellLosses() {
        return held.values().stream()
                .filter(Lease::tellLoss)
                .map(Lease::delivery)
                .toList();
    }

    private void renew(List<Lease> due, long askedAt) {
        due.forEach(it -> registry.extend(it.claim(), askedAt)); // work that is known to run stays in flight here
        Map<Claim, Renewal> answers = Map.of();
        try {
            answers = store.renew(due.stream().map(Lease::claim).toList());
        } finally {
            for (Lease lease : due) {
                if (lease.endRenewal(answers.get(lease.claim()), askedAt)) {
                    store.release(lease.claim());
                }
            }
        }
    }
}
