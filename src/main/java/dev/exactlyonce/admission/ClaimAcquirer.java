package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.event.DeliveryAdmitted;
import dev.exactlyonce.event.DeliveryDeferred;
import dev.exactlyonce.event.DeliveryInFlight;
import dev.exactlyonce.event.DuplicateDelivered;
import dev.exactlyonce.event.KeyReusedWithOtherBody;
import dev.exactlyonce.event.UnsignedIdReused;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Asks for admission: this replica's registry first, then the store. Thread-safe. */
final class ClaimAcquirer {
    private static final System.Logger LOG = System.getLogger(ClaimAcquirer.class.getName());

    private final GuardedStore store;
    private final LocalClaims registry;
    private final Leases leases;
    private final AdmissionListener listener;
    private final LongSupplier ticker;

    ClaimAcquirer(
            GuardedStore store, LocalClaims registry, Leases leases, AdmissionListener listener, LongSupplier ticker) {
        this.store = store;
        this.registry = registry;
        this.leases = leases;
        this.listener = listener;
        this.ticker = ticker;
    }

    /** Either a lease to run under, or why not. */
    record Acquired<R extends @Nullable Object>(
            @Nullable Lease lease, @Nullable Admission<R> refusal) {
        private static <R extends @Nullable Object> Acquired<R> granted(Lease lease) {
            return new Acquired<>(lease, null);
        }

        private static <R extends @Nullable Object> Acquired<R> refused(Admission<R> refusal) {
            return new Acquired<>(null, refusal);
        }
    }

    <R extends @Nullable Object> Acquired<R> enter(PreparedDelivery delivery) {
        SourcePolicy source = delivery.source();
        Optional<Reservation> known = registry.find(delivery.key());
        if (known.isPresent()) {
            return refuse(delivery, whole(known.get(), delivery));
        }
        Claim claim = Claim.fresh(delivery.key(), delivery.fingerprint(), source.lease());
        try {
            Reservation here = registry.enter(claim);
            return here instanceof Reservation.Granted ? ask(delivery, claim) : refuse(delivery, whole(here, delivery));
        } catch (RuntimeException | Error broken) { // nothing runs, so nothing may be held
            giveBack(claim);
            throw broken;
        }
    }

    private <R extends @Nullable Object> Acquired<R> ask(PreparedDelivery delivery, Claim claim) {
        SourcePolicy source = delivery.source();
        boolean bestEffort = false;
        long askedAt = ticker.getAsLong();
        try {
            Reservation there = store.reserve(claim);
            if (!(there instanceof Reservation.Granted)) {
                registry.leave(claim);
                return refuse(delivery, there);
            }
        } catch (StoreUnavailableException unreachable) {
            if (source.onOutage() == SourcePolicy.OnOutage.REJECT) {
                try {
                    store.releaseLater(claim); // the lost call may have claimed the key
                } finally {
                    registry.leave(claim);
                }
                listener.on(new DeliveryDeferred(source.name(), claim.key().value()));
                return Acquired.refused(new Admission.StoreUnreachable<>());
            }
            bestEffort = true;
        }
        Lease lease = leases.begin(delivery, claim, askedAt, !bestEffort && store.isShared(claim));
        listener.on(new DeliveryAdmitted(source.name(), claim.key().value(), bestEffort));
        return Acquired.granted(lease);
    }

    /** Of a claim under which nothing ran, and which the store may have granted. Throws nothing. */
    private void giveBack(Claim claim) {
        boolean mayBeGranted = true;
        try {
            leases.forget(claim);
            mayBeGranted = registry.leave(claim);
        } catch (Throwable another) {
            sayNotGivenBack(claim, another);
        }
        try {
            if (mayBeGranted) {
                store.releaseLater(claim);
            }
        } catch (Throwable another) {
            sayNotGivenBack(claim, another);
        }
    }

    private static void sayNotGivenBack(Claim claim, Throwable why) {
        SafeLog.log(
                LOG,
                Level.ERROR,
                "EXON0106 the claim of " + claim.key() + " could not be given back; its lease's end frees it",
                why);
    }

    private <R extends @Nullable Object> Acquired<R> refuse(PreparedDelivery delivery, Reservation taken) {
        String source = delivery.source().name();
        return taken.fold(
                granted -> {
                    throw new IllegalStateException("a granted claim is no refusal");
                },
                inFlight -> {
                    if (inFlight.fingerprint().contradicts(delivery.fingerprint())) {
                        return otherBody(delivery);
                    }
                    listener.on(new DeliveryInFlight(source, delivery.key().value()));
                    return Acquired.refused(new Admission.StillRunning<>(inFlight.leaseLeft()));
                },
                recorded -> {
                    if (recorded.fingerprint().contradicts(delivery.fingerprint())) {
                        return otherBody(delivery);
                    }
                    RecordedAnswer end = recorded.answer();
                    listener.on(new DuplicateDelivered(source, delivery.key().value(), end.status()));
                    return switch (delivery.source().duplicates()) {
                        case ACK -> Acquired.refused(new Admission.RecordedBefore<>(RecordedAnswer.of(end.status())));
                        case REPLAY -> Acquired.refused(new Admission.RecordedBefore<>(end));
                        case FORWARD -> Acquired.granted(leases.none(delivery));
                    };
                });
    }

    /** Refused, unless the delivery has a key for itself: that one is known with this body alone. */
    private <R extends @Nullable Object> Acquired<R> otherBody(PreparedDelivery delivery) {
        Optional<PreparedDelivery> separate = delivery.separate();
        if (separate.isPresent()) {
            Acquired<R> entry = enter(separate.get());
            if (entry.lease() != null && !entry.lease().isDuplicate()) {
                listener.on(new UnsignedIdReused(
                        delivery.source().name(), delivery.key().value()));
            }
            return entry;
        }
        listener.on(new KeyReusedWithOtherBody(
                delivery.source().name(), delivery.key().value()));
        return Acquired.refused(new Admission.FingerprintMismatch<>());
    }

    /**
     * What the registry says, with an answer that it does not hold and the store does. A store that cannot say it, or has
     * lost it, changes nothing about the delivery's having been processed.
     */
    private Reservation whole(Reservation known, PreparedDelivery delivery) {
        if (delivery.source().duplicates() != SourcePolicy.Duplicates.REPLAY
                || !(known instanceof Reservation.AlreadyRecorded here)
                || !here.answer().isTombstone()) {
            return known;
        }
        try {
            return store.find(delivery.key())
                    .filter(Reservation.AlreadyRecorded.class::isInstance)
                    .map(Reservation.AlreadyRecorded.class::cast)
                    .<Reservation>map(there -> new Reservation.AlreadyRecorded(here.fingerprint(), there.answer()))
                    .orElse(known);
        } catch (StoreUnavailableException away) {
            return known;
        }
    }
}
