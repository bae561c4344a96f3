package dev.exactlyonce.admission;

import dev.exactlyonce.admission.Acquisition.ClaimsGranted;
import dev.exactlyonce.admission.Acquisition.ClaimsRefused;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Acquires the claims of a delivery: it asks the claims of this replica first, then the store. Thread-safe. */
final class ClaimAcquirer {
    private static final System.Logger LOG = System.getLogger(ClaimAcquirer.class.getName());

    private final GuardedStore store;
    private final LocalClaims localClaims;
    private final Leases leases;
    private final OutcomeRecorder recorder;
    private final AdmissionListener listener;
    private final LongSupplier ticker;

    ClaimAcquirer(AdmissionParts parts, OutcomeRecorder recorder, LongSupplier ticker) {
        this.store = parts.store();
        this.localClaims = parts.localClaims();
        this.leases = parts.leases();
        this.listener = parts.listener();
        this.recorder = recorder;
        this.ticker = ticker;
    }

    /**
     * Acquires all of these claims, or none: those before a refused one are released. A duplicate that its source forwards
     * ends the row: nothing more is claimed for it.
     */
    <R extends @Nullable Object> Acquisition<R> acquire(List<PreparedDelivery> deliveries) {
        List<HeldLease> held = new ArrayList<>(deliveries.size());
        boolean isComplete = false;
        try {
            for (PreparedDelivery next : deliveries) {
                Acquisition<R> one = acquire(next);
                if (!(one instanceof ClaimsGranted<R> granted)) {
                    return one;
                }
                held.addAll(granted.held());
                if (granted.view().isDuplicate()) {
                    isComplete = true;
                    return new ClaimsGranted<>(held, granted.view());
                }
            }
            isComplete = true;
            return new ClaimsGranted<>(held, held.get(0));
        } finally {
            if (!isComplete) {
                release(held);
            }
        }
    }

    /** What refuses the delivery by the claims of this replica alone; empty where the handler may have to run. */
    <R extends @Nullable Object> Optional<Admission<R>> knownRefusal(PreparedDelivery delivery) {
        return localClaims
                .find(delivery.key())
                .filter(it -> isRefusal(it, delivery))
                .map(it -> this.<R>refuse(delivery, withAnswer(it, delivery)))
                .filter(ClaimsRefused.class::isInstance)
                .map(it -> ((ClaimsRefused<R>) it).refusal());
    }

    private static boolean isRefusal(Reservation known, PreparedDelivery delivery) {
        return known.fold(
                granted -> false,
                inFlight -> !inFlight.fingerprint().contradicts(delivery.fingerprint()),
                recorded -> !recorded.fingerprint().contradicts(delivery.fingerprint())
                        && delivery.source().duplicates() != SourcePolicy.Duplicates.FORWARD);
    }

    /** Nothing ran under these claims. Throws nothing. */
    private void release(List<HeldLease> held) {
        if (!held.isEmpty()) {
            try {
                recorder.end(held, Outcome::notRun);
            } catch (Throwable broken) {
                logNotReleased(held.get(0).claim(), broken);
            }
        }
    }

    private <R extends @Nullable Object> Acquisition<R> acquire(PreparedDelivery delivery) {
        SourcePolicy source = delivery.source();
        Optional<Reservation> known = localClaims.find(delivery.key());
        if (known.isPresent()) {
            return refuse(delivery, withAnswer(known.get(), delivery));
        }
        Claim claim = Claim.fresh(delivery.key(), delivery.fingerprint(), source.lease());
        try {
            Reservation here = localClaims.enter(claim);
            return here instanceof Reservation.Granted
                    ? reserve(delivery, claim)
                    : refuse(delivery, withAnswer(here, delivery));
        } catch (RuntimeException | Error broken) { // nothing runs, so nothing may be held
            giveBack(claim);
            throw broken;
        }
    }

    private <R extends @Nullable Object> Acquisition<R> reserve(PreparedDelivery delivery, Claim claim) {
        SourcePolicy source = delivery.source();
        boolean bestEffort = false;
        long fence = 0;
        long askedAt = ticker.getAsLong();
        try {
            Reservation there = store.reserve(claim);
            if (!(there instanceof Reservation.Granted granted)) {
                localClaims.leave(claim);
                return refuse(delivery, there);
            }
            fence = granted.fence();
        } catch (StoreUnavailableException unreachable) {
            if (source.onOutage() == SourcePolicy.OnOutage.REJECT) {
                try {
                    store.releaseLater(claim); // the lost call may have claimed the key
                } finally {
                    localClaims.leave(claim);
                }
                listener.on(new DeliveryDeferred(source.name(), claim.key().value()));
                return new ClaimsRefused<>(new Admission.StoreUnreachable<>());
            }
            bestEffort = true;
        }
        HeldLease lease = leases.begin(
                delivery, new HeldLease.GrantedClaim(claim, fence), askedAt, !bestEffort && store.isShared(claim));
        listener.on(new DeliveryAdmitted(source.name(), claim.key().value(), bestEffort));
        return new ClaimsGranted<>(List.of(lease), lease);
    }

    /** Nothing ran under this claim, and the store may have granted it. Throws nothing. */
    private void giveBack(Claim claim) {
        boolean mayBeGranted = true;
        try {
            leases.forget(claim);
            mayBeGranted = localClaims.leave(claim);
        } catch (Throwable another) {
            logNotReleased(claim, another);
        }
        try {
            if (mayBeGranted) {
                store.releaseLater(claim);
            }
        } catch (Throwable another) {
            logNotReleased(claim, another);
        }
    }

    private static void logNotReleased(Claim claim, Throwable why) {
        SafeLog.log(
                LOG,
                Level.ERROR,
                "EXON0106 the claim of " + claim.key() + " could not be released; it ends with its lease",
                why);
    }

    <R extends @Nullable Object> Acquisition<R> refuse(PreparedDelivery delivery, Reservation taken) {
        String source = delivery.source().name();
        return taken.fold(
                granted -> {
                    throw new IllegalStateException("a granted claim is not a refusal");
                },
                inFlight -> {
                    if (inFlight.fingerprint().contradicts(delivery.fingerprint())) {
                        return acquireSeparately(delivery);
                    }
                    listener.on(new DeliveryInFlight(source, delivery.key().value()));
                    return new ClaimsRefused<>(new Admission.StillRunning<>(inFlight.leaseLeft()));
                },
                recorded -> {
                    if (recorded.fingerprint().contradicts(delivery.fingerprint())) {
                        return acquireSeparately(delivery);
                    }
                    RecordedAnswer end = recorded.answer();
                    listener.on(new DuplicateDelivered(source, delivery.key().value(), end.status()));
                    return switch (delivery.source().duplicates()) {
                        case ACK ->
                            new ClaimsRefused<>(new Admission.RecordedBefore<>(RecordedAnswer.of(end.status())));
                        case REPLAY -> new ClaimsRefused<>(new Admission.RecordedBefore<>(end));
                        case FORWARD -> new ClaimsGranted<>(List.of(), DuplicateView.INSTANCE);
                    };
                });
    }

    /** The key came with another body: refused, unless the delivery has a key of its own for this body. */
    private <R extends @Nullable Object> Acquisition<R> acquireSeparately(PreparedDelivery delivery) {
        Optional<PreparedDelivery> separate = delivery.separate();
        if (separate.isEmpty()) {
            listener.on(new KeyReusedWithOtherBody(
                    delivery.source().name(), delivery.key().value()));
            return new ClaimsRefused<>(new Admission.FingerprintMismatch<>());
        }
        Acquisition<R> acquisition = acquire(separate.get());
        if (acquisition instanceof ClaimsGranted<R> granted && !granted.view().isDuplicate()) {
            listener.on(new UnsignedIdReused(
                    delivery.source().name(), delivery.key().value()));
        }
        return acquisition;
    }

    /**
     * What this replica knows, with the answer from the store where this replica does not hold it. A store that cannot be
     * asked, or has lost the answer, does not change that the delivery was processed.
     */
    Reservation withAnswer(Reservation known, PreparedDelivery delivery) {
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
