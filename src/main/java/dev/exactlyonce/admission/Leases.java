package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.LeaseLost;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.Renewal;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of the handlers that run here, renewed together. A renewal that fails is tried again at the next tick, also
 * after the lease has ended: nobody may have taken the key. Thread-safe; renewals run one after the other.
 */
final class Leases {
    private static final System.Logger LOG = System.getLogger(Leases.class.getName());

    private final Map<String, Lease> held = new ConcurrentHashMap<>(); // by owner token
    private final GuardedStore store;
    private final LocalClaims registry;
    private final AdmissionListener listener;
    private final Lease.Terms terms;

    /**
     * @param listener hears of each loss; throws nothing
     * @param terms among them how long a claim is renewed at most: work that never ends must not hold its key for ever
     */
    Leases(GuardedStore store, LocalClaims registry, AdmissionListener listener, Lease.Terms terms) {
        this.store = store;
        this.registry = registry;
        this.listener = listener;
        this.terms = terms;
    }

    Lease begin(PreparedDelivery delivery, Claim claim, long askedAt, boolean confirmed) {
        Lease lease = new Lease(delivery, claim, askedAt, confirmed, terms);
        held.put(claim.owner(), lease);
        return lease;
    }

    /** For a duplicate, whose claim was never granted: nothing is left of it, and nothing can be lost. */
    Lease none(PreparedDelivery delivery) {
        Claim claim = Claim.fresh(
                delivery.key(), delivery.fingerprint(), delivery.source().lease());
        Lease none = new Lease(delivery, claim, terms.now(), false, terms);
        none.endAsDuplicate();
        return none;
    }

    /** To be called before the claim is recorded or released. */
    void end(Lease lease, boolean toBeReleased) {
        lease.end(toBeReleased);
        held.remove(lease.claim().owner());
    }

    /** The work of this claim never began; to be called before it is released. */
    void forget(Claim claim) {
        Lease lease = held.get(claim.owner());
        if (lease != null) {
            end(lease, true);
        }
    }

    /** Renews what would be older than a third of its lease at the next tick, in one call, and tells of what was lost. */
    synchronized void renew(Duration tick) {
        long now = terms.now();
        tellLosses();
        List<Lease> due =
                held.values().stream().filter(it -> it.beginRenewal(now, tick)).toList();
        if (!due.isEmpty()) {
            renew(due, now);
            tellLosses();
        }
        held.values().stream().filter(it -> it.isHeldTooLong(now)).forEach(it -> letGo(it, now));
    }

    /** Of work that may never end: this replica no longer holds its key either, once the lease has ended. */
    private void letGo(Lease lease, long now) {
        safely(lease.claim(), () -> registry.loseSight(lease.claim()));
        if (lease.isGivenUp(now)) {
            held.remove(lease.claim().owner());
            safely(lease.claim(), () -> store.abandon(lease.claim()));
        }
    }

    private void tellLosses() {
        for (Lease lease : held.values()) {
            if (lease.tellLoss()) {
                listener.on(new LeaseLost(
                        lease.delivery().source().name(), lease.claim().key().value()));
            }
        }
    }

    private void renew(List<Lease> due, long askedAt) {
        for (Lease lease : due) { // work that is known to run stays in flight here
            safely(lease.claim(), () -> registry.extend(lease.claim(), askedAt));
        }
        Map<Claim, Renewal> answers = ask(due);
        List<Claim> released = new ArrayList<>();
        for (Lease lease : due) {
            Claim claim = lease.claim();
            safely(claim, () -> {
                if (lease.endRenewal(answers.get(claim), askedAt, store.isShared(claim))
                        && answers.get(claim) != Renewal.LOST) {
                    released.add(claim);
                }
            });
        }
        for (Claim claim : released) {
            safely(claim, () -> releaseAgain(claim, answers.containsKey(claim)));
        }
    }

    private Map<Claim, Renewal> ask(List<Lease> due) {
        try {
            return store.renew(due.stream().map(Lease::claim).toList());
        } catch (RuntimeException | Error fault) { // a fault of ours in one claim must not end the renewal of all
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0103 leases could not be renewed; they are tried again at the next tick",
                    fault);
            return Map.of();
        }
    }

    private void releaseAgain(Claim claim, boolean hasAnswered) {
        if (hasAnswered) {
            store.release(claim);
        } else {
            store.releaseLater(claim); // a store that did not answer is not waited for once more, one by one
        }
    }

    /** A fault with one claim keeps no other from its renewal. */
    private static void safely(Claim claim, Runnable step) {
        try {
            step.run();
        } catch (Throwable fault) {
            SafeLog.log(LOG, Level.ERROR, "EXON0104 the lease of " + claim.key() + " could not be attended to", fault);
        }
    }
}
