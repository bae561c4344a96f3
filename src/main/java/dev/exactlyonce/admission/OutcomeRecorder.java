package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.DeliveryRecorded;
import dev.exactlyonce.event.DeliveryReleased;
import dev.exactlyonce.event.DeliverySuperseded;
import dev.exactlyonce.event.DeliveryUnfinished;
import dev.exactlyonce.spi.Claim;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The end of work that was admitted: its record, its release, or neither. Thread-safe. */
final class OutcomeRecorder {
    private static final System.Logger LOG = System.getLogger(OutcomeRecorder.class.getName());

    private final GuardedStore store;
    private final LocalClaims registry;
    private final Leases leases;
    private final AdmissionListener listener;

    OutcomeRecorder(GuardedStore store, LocalClaims registry, Leases leases, AdmissionListener listener) {
        this.store = store;
        this.registry = registry;
        this.leases = leases;
        this.listener = listener;
    }

    /**
     * Settles once, and whatever breaks on the way, leaves nothing that would be held past its lease.
     *
     * @return when the end came too late and another owner runs now, what is left of that one's lease
     */
    Optional<Duration> end(Lease lease, Supplier<Outcome> judgement) {
        if (!lease.beginSettlement()) {
            return Optional.empty();
        }
        try {
            Optional<Duration> otherRuns = settle(lease, judgement.get());
            lease.settled();
            return otherRuns;
        } catch (RuntimeException | Error broken) {
            ensureSettled(lease);
            throw broken;
        }
    }

    /** For work whose end an error cut short, or kept from being settled at all: its claim stays to the lease's end. */
    void ensureSettled(Lease lease) {
        if (lease.isSettled()) {
            return;
        }
        Claim claim = lease.claim();
        boolean isEnded = succeeds(claim, () -> leases.end(lease, false));
        boolean isOutOfSight = succeeds(claim, () -> registry.loseSight(claim));
        boolean isAbandoned = succeeds(claim, () -> store.abandon(claim));
        if (isEnded && isOutOfSight && isAbandoned) {
            lease.settled();
            listener.on(new DeliveryUnfinished(
                    lease.delivery().source().name(), claim.key().value()));
        }
    }

    private static boolean succeeds(Claim claim, Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable broken) { // the steps behind it are needed all the more
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0105 " + claim.key() + " could not be given up on; exactlyonce.max-hold ends its claim",
                    broken);
            return false;
        }
    }

    private Optional<Duration> settle(Lease lease, Outcome outcome) {
        Claim claim = lease.claim();
        SourcePolicy source = lease.delivery().source();
        boolean toBeReleased = outcome.kind() != Outcome.OutcomeKind.UNFINISHED
                && !source.recordOn().keeps(outcome);
        leases.end(lease, toBeReleased);
        if (outcome.kind() == Outcome.OutcomeKind.UNFINISHED) {
            registry.loseSight(claim);
            store.abandon(claim);
            listener.on(new DeliveryUnfinished(source.name(), claim.key().value()));
            return Optional.empty();
        }
        if (toBeReleased) {
            store.release(claim);
            registry.leave(claim);
            listener.on(new DeliveryReleased(source.name(), claim.key().value(), outcome.status()));
            return Optional.empty();
        }
        return store.record(claim, outcome.answer(), source.ttl())
                .fold(
                        inStore -> remember(claim, source, outcome, false),
                        owed -> remember(claim, source, outcome, true),
                        superseded -> {
                            registry.leave(claim);
                            listener.on(new DeliverySuperseded(
                                    source.name(), claim.key().value()));
                            return superseded.by().running()
                                    ? Optional.of(superseded.by().leaseLeft())
                                    : Optional.empty();
                        });
    }

    private Optional<Duration> remember(Claim claim, SourcePolicy source, Outcome outcome, boolean owed) {
        registry.remember(claim, outcome.answer(), source.ttl());
        listener.on(new DeliveryRecorded(source.name(), claim.key().value(), outcome.status(), owed));
        return Optional.empty();
    }
}
