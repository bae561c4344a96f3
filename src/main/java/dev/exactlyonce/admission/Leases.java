package dev.exactlyonce.admission;

import java.lang.System.Logger.Level;
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
    private static final System.Logger LOG = System.getLogger(Leases.class.getName());

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

    /** For a duplicate, whose claim was never granted: nothing is left of it, and nothing can be lost. */
    Lease none(PreparedDelivery delivery) {
        Claim claim = Claim.fresh(
                delivery.key(), delivery.fingerprint(), delivery.source().lease());
        Lease none = new Lease(delivery, claim, ticker.getAsLong(), false, ticker, teller);
        none.endAsDuplicate();
        return none;
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
        List<PreparedDelivery> losses = new ArrayList<>(tellLosses());
        List<Lease> due = held.values().stream()
                .filter(it -> it.beginRenewal(now, tick, maxHold))
                .toList();
        if (!due.isEmpty()) {
            renew(due, now);
            losses.addAll(tellLosses());
        }
        held.values().stream()
                .filter(it -> it.isGivenUp(now, maxHold))
                .map(Lease::claim)
                .toList()
                .forEach(this::giveUp);
        return losses;
    }

    private void giveUp(Claim claim) {
        held.remove(claim.owner());
        store.abandon(claim);
    }

    private List<PreparedDelivery> tellLosses() {
        return held.values().stream()
                .filter(Lease::tellLoss)
                .map(Lease::delivery)
                .toList();
    }

    private void renew(List<Lease> due, long askedAt) {
        due.forEach(it -> registry.extend(it.claim(), askedAt)); // work that is known to run stays in flight here
        Map<Claim, Renewal> answers = ask(due);
        List<Claim> released = new ArrayList<>();
        for (Lease lease : due) {
            Claim claim = lease.claim();
            if (lease.endRenewal(answers.get(claim), askedAt, store.isShared(claim))
                    && answers.get(claim) != Renewal.LOST) {
                released.add(claim);
            }
        }
        for (Claim claim : released) {
            if (answers.containsKey(claim)) {
                releaseAgain(claim);
            } else {
                store.releaseLater(claim); // a store that did not answer is not waited for once more, one by one
            }
        }
    }

    private Map<Claim, Renewal> ask(List<Lease> due) {
        try {
            return store.renew(due.stream().map(Lease::claim).toList());
        } catch (RuntimeException fault) { // a fault of ours in one claim must not end the renewal of all
            LOG.log(Level.ERROR, "EXON0103 leases could not be renewed; they are tried again at the next tick", fault);
            return Map.of();
        }
    }

    private void releaseAgain(Claim claim) {
        try {
            store.release(claim);
        } catch (RuntimeException fault) {
            LOG.log(Level.ERROR, "EXON0104 " + claim.key() + " could not be released; its lease's end frees it", fault);
        }
    }
}
