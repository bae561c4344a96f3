package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The end of work that was admitted: its record, its release, or neither. Thread-safe. */
final class Settlement {
    private final GuardedStore store;
    private final Registry registry;
    private final Leases leases;
    private final AdmissionListener listener;

    Settlement(GuardedStore store, Registry registry, Leases leases, AdmissionListener listener) {
        this.store = store;
        this.registry = registry;
        this.leases = leases;
        this.listener = listener;
    }

    /**
     * Settles, and whatever breaks on the way, leaves nothing that would be held for ever.
     *
     * @return when the end came too late and another owner runs now, what is left of that one's lease
     */
    Optional<Duration> end(Lease lease, Supplier<Outcome> judgement) {
        try {
            return settle(lease, judgement.get());
        } catch (RuntimeException | Error broken) {
            leases.end(lease, false);
            registry.loseSight(lease.claim());
            throw broken;
        }
    }

    private Optional<Duration> settle(Lease lease, Outcome outcome) {
        Claim claim = lease.claim();
        SourcePolicy source = lease.delivery().source();
        boolean toBeReleased =
                outcome.kind() != Outcome.Kind.UNFINISHED && !source.recordOn().keeps(outcome);
        leases.end(lease, toBeReleased);
        if (outcome.kind() == Outcome.Kind.UNFINISHED) {
            registry.loseSight(claim);
            store.abandon(claim);
            listener.on(new AdmissionEvent.Unfinished(source.name(), claim.key()));
            return Optional.empty();
        }
        if (toBeReleased) {
            store.release(claim);
            registry.leave(claim);
            listener.on(new AdmissionEvent.Released(source.name(), claim.key(), outcome.status()));
            return Optional.empty();
        }
        return store.record(claim, outcome.answer(), source.ttl())
                .fold(
                        inStore -> remember(claim, source, outcome, false),
                        owed -> remember(claim, source, outcome, true),
                        superseded -> {
                            registry.leave(claim);
                            listener.on(new AdmissionEvent.Superseded(source.name(), claim.key()));
                            return superseded.by().running()
                                    ? Optional.of(superseded.by().leaseLeft())
                                    : Optional.empty();
                        });
    }

    private Optional<Duration> remember(Claim claim, SourcePolicy source, Outcome outcome, boolean owed) {
        registry.remember(claim, outcome.answer(), source.ttl());
        listener.on(new AdmissionEvent.Recorded(source.name(), claim.key(), outcome.status(), owed));
        return Optional.empty();
    }
}
