package dev.exactlyonce.admission;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a delivery whose record is written in the transaction of its handler. They hold as long as the transaction
 * does: nothing has to be renewed, and nothing can be lost but with the transaction. Who runs the transaction calls, in it,
 * {@link #claim} before the work and {@link #judged} after it; and {@link #ended} when it has ended. Thread-safe.
 */
public final class TransactionalLease implements Lease {
    /** What a record says until its handler has ended. */
    private static final RecordedAnswer DONE = RecordedAnswer.of(200);

    private final PreparedDelivery delivery;
    private final List<Claim> claims;
    private final TransactionalClaims store;

    private volatile @Nullable Reservation refusal;
    private volatile @Nullable StoreUnavailableException failure;
    private volatile @Nullable Outcome outcome;
    private volatile boolean isToBeCommitted;
    private volatile boolean isCommitted;
    private volatile boolean hasEnded;
    private volatile long fence;

    TransactionalLease(PreparedDelivery delivery, List<Claim> claims, TransactionalClaims store) {
        this.delivery = delivery;
        this.claims = List.copyOf(claims);
        this.store = store;
    }

    /**
     * Writes the records.
     *
     * @return whether the handler may run; else the transaction is to be rolled back, and {@link #refused} thrown
     */
    public boolean claim() {
        try {
            for (Claim claim : claims) {
                Reservation answer = store.claim(claim, DONE, delivery.source().ttl());
                if (!(answer instanceof Reservation.Granted granted)) {
                    refusal = answer;
                    return false;
                }
                if (fence == 0) { // of its own key, which is the first
                    fence = granted.fence();
                }
            }
            return true;
        } catch (StoreUnavailableException unavailable) {
            failure = unavailable;
            return false;
        }
    }

    /** What unwinds the call of a handler that did not run. */
    public RuntimeException refused() {
        return new NotClaimedException();
    }

    /** Whether the handler's end is to be kept with its effects. */
    public boolean keeps(Outcome ended) {
        return delivery.source().recordOn().keeps(ended);
    }

    /**
     * Tells the record how the handler has ended, where it is to be committed.
     *
     * @param commits whether it is, as far as this call can say
     */
    public void judged(Outcome ended, boolean commits) {
        outcome = ended;
        isToBeCommitted = commits;
        if (commits && !ended.answer().equals(DONE)) {
            for (Claim claim : claims) {
                store.change(claim, ended.answer());
            }
        }
    }

    /** The transaction has ended. */
    public void ended(boolean committed) {
        isCommitted = committed;
        hasEnded = true;
    }

    /** Whether the work was to be committed and was not, or may not have been. */
    public boolean hasFailedToCommit() {
        return isToBeCommitted && !isCommitted;
    }

    /** Whether the work succeeded and its transaction was rolled back all the same, by the application or the container. */
    public boolean isUndone() {
        Outcome ended = outcome;
        return ended != null && keeps(ended) && !isCommitted;
    }

    boolean isCommitted() {
        return isCommitted;
    }

    Optional<Reservation> refusal() {
        return Optional.ofNullable(refusal);
    }

    boolean isUnavailable() {
        return failure != null;
    }

    Optional<Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /** The source's lease as long as the transaction runs, since it does not count down. */
    @Override
    public Duration left() {
        return hasEnded ? Duration.ZERO : delivery.source().lease();
    }

    @Override
    public boolean stillOwned() {
        return !hasEnded;
    }

    @Override
    public void onLost(Runnable action) {
        Objects.requireNonNull(action, "an action to be run on the loss of the lease");
    }

    /** 0 before the record was written. */
    @Override
    public long fence() {
        return fence;
    }

    @Override
    public boolean isDuplicate() {
        return false;
    }

    private static final class NotClaimedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotClaimedException() {
            super("the delivery was not claimed in this transaction", null, false, false);
        }
    }
}
