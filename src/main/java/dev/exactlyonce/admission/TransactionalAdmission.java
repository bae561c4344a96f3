package dev.exactlyonce.admission;

import dev.exactlyonce.event.DeliveryAdmitted;
import dev.exactlyonce.event.DeliveryDeferred;
import dev.exactlyonce.event.DeliveryRecorded;
import dev.exactlyonce.event.DeliveryReleased;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.Reservation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admits deliveries whose record is written in the transaction of their handler. Copies on this replica are refused before
 * they take a connection; all others meet in the database. Thread-safe.
 */
final class TransactionalAdmission {
    private final TransactionalClaims store;
    private final LocalClaims localClaims;
    private final ClaimAcquirer acquirer;
    private final AdmissionListener listener;

    TransactionalAdmission(TransactionalClaims store, AdmissionParts parts, ClaimAcquirer acquirer) {
        this.store = store;
        this.localClaims = parts.localClaims();
        this.listener = parts.listener();
        this.acquirer = acquirer;
    }

    <R extends @Nullable Object> Admission<R> admit(PreparedDelivery delivery, Handler<R> handler) throws Exception {
        List<Claim> entered = new ArrayList<>();
        try {
            for (PreparedDelivery next : delivery.toClaim()) {
                Claim claim = Claim.fresh(
                        next.key(), next.fingerprint(), next.source().lease());
                Reservation here = localClaims.enter(claim);
                if (!(here instanceof Reservation.Granted)) {
                    return refuse(next, acquirer.withAnswer(here, next), handler);
                }
                entered.add(claim);
            }
            return run(delivery, handler, entered);
        } finally {
            entered.forEach(localClaims::leave); // does nothing to what is remembered
        }
    }

    private <R extends @Nullable Object> Admission<R> run(
            PreparedDelivery delivery, Handler<R> handler, List<Claim> claims) throws Exception {
        SourcePolicy source = delivery.source();
        String key = delivery.key().value();
        TransactionalLease lease = new TransactionalLease(delivery, claims, store);
        try {
            R result = handler.handle(lease);
            if (lease.isCommitted()) {
                remember(delivery, claims, lease);
            } else {
                listener.on(new DeliveryReleased(source.name(), key, status(lease)));
            }
            return new Admission.HandlerEnded<>(result);
        } catch (Exception failure) {
            if (lease.refusal().isPresent()) {
                claims.forEach(localClaims::leave);
                return refuse(delivery, lease.refusal().get(), handler);
            }
            if (lease.isUnavailable() || lease.hasFailedToCommit() || isConflict(failure)) {
                listener.on(new DeliveryDeferred(source.name(), key));
                return new Admission.StoreUnreachable<>();
            }
            if (lease.isCommitted()) {
                remember(delivery, claims, lease);
            } else {
                listener.on(new DeliveryReleased(source.name(), key, status(lease)));
            }
            throw failure;
        }
    }

    private static int status(TransactionalLease lease) {
        return lease.outcome().map(Outcome::status).orElse(500);
    }

    private void remember(PreparedDelivery delivery, List<Claim> claims, TransactionalLease lease) {
        SourcePolicy source = delivery.source();
        Outcome outcome = lease.outcome().orElseGet(() -> Outcome.ofStatus(200));
        listener.on(new DeliveryAdmitted(source.name(), delivery.key().value(), false));
        claims.forEach(it -> localClaims.remember(it, outcome.answer(), source.ttl()));
        listener.on(new DeliveryRecorded(source.name(), delivery.key().value(), outcome.status(), false));
    }

    /** The key is taken: a delivery that has a key of its own for this body is asked for under that one. */
    private <R extends @Nullable Object> Admission<R> refuse(
            PreparedDelivery delivery, Reservation taken, Handler<R> handler) throws Exception {
        boolean hasOtherBody = taken.fold(
                granted -> false,
                claimed -> claimed.fingerprint().contradicts(delivery.fingerprint()),
                recorded -> recorded.fingerprint().contradicts(delivery.fingerprint()));
        Optional<PreparedDelivery> separate = delivery.separate();
        return hasOtherBody && separate.isPresent()
                ? admit(separate.get(), handler)
                : ((Acquisition.ClaimsRefused<R>) acquirer.<R>refuse(delivery, taken)).refusal();
    }

    /** Whether the database has chosen the transaction as the victim of a conflict, or has gone: the same again may succeed. */
    private static boolean isConflict(Throwable failure) {
        int depth = 0;
        for (Throwable it = failure; it != null && depth < 20; it = it.getCause(), depth++) {
            if (it instanceof SQLException sql && sql.getSQLState() != null && isConflict(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConflict(String state) {
        return state.startsWith("40") || state.startsWith("08") || state.startsWith("57P");
    }
}
