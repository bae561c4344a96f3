package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.LeaseLost;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of the handlers that run here, renewed together. A renewal that fails is retried at the next tick, also
 * after the lease has ended: the key may still be free. Thread-safe; renewals run one after the other.
 */
final class Leases {
    private static final System.Logger LOG = System.getLogger(Leases.class.getName());

    private final Map<String, HeldLease> held = new ConcurrentHashMap<>(); // by owner token
    private final GuardedStore store;
    private final LocalClaims localClaims;
    private final AdmissionListener listener;
    private final HeldLease.Terms terms;

    /**
     * @param listener receives each loss; throws nothing
     * @param terms among them how long a claim is renewed at most: work that never ends must not hold its key without end
     */
    Leases(GuardedStore store, LocalClaims localClaims, AdmissionListener listener, HeldLease.Terms terms) {
        this.store = store;
        this.localClaims = localClaims;
        this.listener = listener;
        this.terms = terms;
    }

    HeldLease begin(PreparedDelivery delivery, HeldLease.GrantedClaim granted, long askedAt, boolean confirmed) {
        HeldLease lease = new HeldLease(delivery, granted, askedAt, confirmed, terms);
        held.put(granted.claim().owner(), lease);
        return lease;
    }

    /** To be called before the claim is recorded or released. */
    void end(HeldLease lease, boolean toBeReleased) {
        lease.end(toBeReleased);
        held.remove(lease.claim().owner());
    }

    /** The work of this claim never began; to be called before it is released. */
    void forget(Claim claim) {
        HeldLease lease = held.get(claim.owner());
        if (lease != null) {
            end(lease, true);
        }
    }

    /** Renews what would be older than a third of its lease at the next tick, in one call, and reports what was lost. */
    synchronized void renew(Duration tick) {
        long now = terms.now();
        reportLosses();
        List<HeldLease> due =
                held.values().stream().filter(it -> it.beginRenewal(now, tick)).toList();
        if (!due.isEmpty()) {
            renew(due, now);
            reportLosses();
        }
        held.values().stream().filter(it -> it.isHeldTooLong(now)).forEach(it -> stopHolding(it, now));
    }

    /** The work may never end: once the lease has ended, this replica no longer holds its key either. */
    private void stopHolding(HeldLease lease, long now) {
        safely(lease.claim(), () -> localClaims.leaveThread(lease.claim()));
        if (lease.isGivenUp(now)) {
            held.remove(lease.claim().owner());
            safely(lease.claim(), () -> store.abandon(lease.claim()));
        }
    }

    private void reportLosses() {
        for (HeldLease lease : held.values()) {
            if (lease.reportLoss()) {
                listener.on(new LeaseLost(
                        lease.delivery().source().name(), lease.claim().key().value()));
            }
        }
    }

    private void renew(List<HeldLease> due, long askedAt) {
        for (HeldLease lease : due) { // work that is known to run stays in flight here
            safely(lease.claim(), () -> localClaims.extend(lease.claim(), askedAt));
        }
        Map<Claim, Renewal> answers = ask(due);
        List<Claim> released = new ArrayList<>();
        for (HeldLease lease : due) {
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

    /** What the store did not answer is missing; the claim may have been renewed. */
    private Map<Claim, Renewal> ask(List<HeldLease> due) {
        List<Claim> claims = due.stream().map(HeldLease::claim).toList();
        try {
            List<Renewal> answers = store.renewAll(claims);
            Map<Claim, Renewal> answered = new HashMap<>();
            for (int i = 0; i < answers.size(); i++) {
                if (!(answers.get(i) instanceof Renewal.Unanswered)) {
                    answered.put(claims.get(i), answers.get(i));
                }
            }
            return answered;
        } catch (StoreUnavailableException away) { // an outage is reported by the store's own guard
            LOG.log(Level.DEBUG, "no lease could be renewed", away);
            return Map.of();
        } catch (RuntimeException | Error fault) { // a fault in one claim must not end the renewal of all
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0103 leases could not be renewed; they will be retried at the next tick",
                    fault);
            return Map.of();
        }
    }

    private void releaseAgain(Claim claim, boolean hasAnswered) {
        if (hasAnswered) {
            store.release(claim);
        } else {
            store.releaseLater(claim); // a store that did not answer is not asked again for each claim
        }
    }

    /** A fault with one claim keeps no other from its renewal. */
    private static void safely(Claim claim, Runnable step) {
        try {
            step.run();
        } catch (Throwable fault) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0104 the lease of " + claim.key() + " could not be processed; it will be retried",
                    fault);
        }
    }
}
