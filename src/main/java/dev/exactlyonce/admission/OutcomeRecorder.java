package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.DeliveryRecorded;
import dev.exactlyonce.event.DeliveryReleased;
import dev.exactlyonce.event.DeliverySuperseded;
import dev.exactlyonce.event.DeliveryUnfinished;
import dev.exactlyonce.spi.Claim;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Records or releases the claims of work that has ended, or leaves them to their leases. Thread-safe. */
final class OutcomeRecorder {
    private static final System.Logger LOG = System.getLogger(OutcomeRecorder.class.getName());

    private final GuardedStore store;
    private final LocalClaims localClaims;
    private final Leases leases;
    private final AdmissionListener listener;

    OutcomeRecorder(AdmissionParts parts) {
        this.store = parts.store();
        this.localClaims = parts.localClaims();
        this.leases = parts.leases();
        this.listener = parts.listener();
    }

    /**
     * Settles the claims together, once, the last granted first. When one of them has another owner that runs now, those
     * before it are released. Whatever fails on the way, nothing stays held past its lease.
     *
     * @return when the end came too late and another owner runs now, what is left of that owner's lease
     */
    Optional<Duration> end(List<HeldLease> held, Supplier<Outcome> judgement) {
        if (!held.get(0).beginSettlement()) { // the first stands for all
            return Optional.empty();
        }
        Outcome outcome;
        try {
            outcome = judgement.get();
        } catch (RuntimeException | Error broken) {
            ensureSettled(held);
            throw broken;
        }
        Optional<Duration> otherRuns = Optional.empty();
        for (int i = held.size() - 1; i >= 0; i--) {
            HeldLease lease = held.get(i);
            try {
                Optional<Duration> other = settle(lease, otherRuns.isPresent() ? Outcome.notRun() : outcome);
                otherRuns = otherRuns.isPresent() ? otherRuns : other;
                lease.settled();
            } catch (RuntimeException | Error broken) {
                ensureSettled(held);
                throw broken;
            }
        }
        return otherRuns;
    }

    /** For work whose end an error cut short, or kept from being settled: its claims stay until their leases end. */
    void ensureSettled(List<HeldLease> held) {
        held.forEach(this::ensureSettled);
    }

    private void ensureSettled(HeldLease lease) {
        if (lease.isSettled()) {
            return;
        }
        Claim claim = lease.claim();
        boolean isEnded = succeeds(claim, () -> leases.end(lease, false));
        boolean isOffThread = succeeds(claim, () -> localClaims.leaveThread(claim));
        boolean isAbandoned = succeeds(claim, () -> store.abandon(claim));
        if (isEnded && isOffThread && isAbandoned) {
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
                    "EXON0105 " + claim.key() + " could not be left to its lease; exactlyonce.max-hold ends its claim",
                    broken);
            return false;
        }
    }

    /** The handler has returned a stage: its thread no longer shows when the work ends. */
    void leaveThread(List<HeldLease> held) {
        held.forEach(it -> localClaims.leaveThread(it.claim()));
    }

    private Optional<Duration> settle(HeldLease lease, Outcome outcome) {
        Claim claim = lease.claim();
        SourcePolicy source = lease.delivery().source();
        boolean toBeReleased = outcome.kind() != Outcome.OutcomeKind.UNFINISHED
                && !source.recordOn().keeps(outcome);
        leases.end(lease, toBeReleased);
        if (outcome.kind() == Outcome.OutcomeKind.UNFINISHED) {
            localClaims.leaveThread(claim);
            store.abandon(claim);
            listener.on(new DeliveryUnfinished(source.name(), claim.key().value()));
            return Optional.empty();
        }
        if (toBeReleased) {
            store.release(claim);
            localClaims.leave(claim);
            listener.on(new DeliveryReleased(source.name(), claim.key().value(), outcome.status()));
            return Optional.empty();
        }
        return store.record(claim, outcome.answer(), source.ttl())
                .fold(
                        written -> remember(claim, source, outcome, false),
                        pending -> remember(claim, source, outcome, true),
                        superseded -> {
                            localClaims.leave(claim);
                            listener.on(new DeliverySuperseded(
                                    source.name(), claim.key().value()));
                            return superseded.running() ? Optional.of(superseded.leaseLeft()) : Optional.empty();
                        });
    }

    private Optional<Duration> remember(Claim claim, SourcePolicy source, Outcome outcome, boolean pending) {
        localClaims.remember(claim, outcome.answer(), source.ttl());
        listener.on(new DeliveryRecorded(source.name(), claim.key().value(), outcome.status(), pending));
        return Optional.empty();
    }
}
