package dev.exactlyonce.admission;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this replica knows of its claim while the handler runs. The lease is counted from the moment a confirmed reserve or
 * renewal was sent: never later than the store counts it, however long the reply takes. Thread-safe.
 */
final class HeldLease implements Lease {
    /** Where the work is, in this order; each is reached at most once. */
    private enum WorkPhase {
        RUNNING,
        /** Its outcome is being read. */
        ENDING,
        /** Nothing is renewed any more. */
        ENDED,
        /** The claim was recorded, released or left to its lease. */
        SETTLED
    }

    private enum Ownership {
        /** No store that all replicas ask has granted the claim; it cannot lapse. */
        UNCONFIRMED,
        CONFIRMED,
        /** Another owner has the key. */
        TAKEN
    }

    private enum LossReport {
        NONE,
        /** The lease ended before a renewal that came late; not reported yet. */
        LAPSED,
        /** The present loss is reported. */
        REPORTED
    }

    private enum RenewalPhase {
        IDLE,
        IN_PROGRESS,
        /** The claim was released while its renewal was in progress, which may have claimed the key again. */
        RELEASED_MEANWHILE
    }

    /**
     * What all leases of a replica share.
     *
     * @param maxHold how long a lease is renewed at most
     * @param callbackExecutor runs the actions on a loss
     */
    record Terms(Duration maxHold, LongSupplier ticker, Executor callbackExecutor) {
        long now() {
            return ticker.getAsLong();
        }
    }

    /** @param fence its fencing token; 0 when the store could not be reached */
    record GrantedClaim(Claim claim, long fence) {}

    private final PreparedDelivery delivery;
    private final Claim claim;
    private final long fence;
    private final Terms terms;
    private final long begun;
    private final LossActions lossActions;

    private long until;
    private WorkPhase phase = WorkPhase.RUNNING;
    private Ownership ownership;
    private LossReport loss = LossReport.NONE;
    private RenewalPhase renewal = RenewalPhase.IDLE;

    /**
     * @param askedAt when the store was asked, on the ticker
     * @param confirmed whether it granted the claim; else it could not be reached
     */
    HeldLease(PreparedDelivery delivery, GrantedClaim granted, long askedAt, boolean confirmed, Terms terms) {
        this.delivery = delivery;
        this.claim = granted.claim();
        this.fence = granted.fence();
        this.terms = terms;
        this.lossActions = new LossActions(terms.callbackExecutor());
        this.begun = askedAt;
        this.until = askedAt + claim.lease().toNanos();
        this.ownership = confirmed ? Ownership.CONFIRMED : Ownership.UNCONFIRMED;
    }

    Claim claim() {
        return claim;
    }

    PreparedDelivery delivery() {
        return delivery;
    }

    @Override
    public boolean isDuplicate() {
        return false;
    }

    @Override
    public long fence() {
        return fence;
    }

    /** Whether the caller is the first to settle it: a stage may report its end and also fail to be followed. */
    synchronized boolean beginSettlement() {
        boolean isFirst = phase == WorkPhase.RUNNING;
        if (isFirst) {
            phase = WorkPhase.ENDING;
        }
        return isFirst;
    }

    /** The work has ended: from here on nothing is renewed. */
    synchronized void end(boolean toBeReleased) {
        if (phase != WorkPhase.SETTLED) {
            phase = WorkPhase.ENDED;
        }
        if (renewal != RenewalPhase.IDLE) {
            renewal = toBeReleased ? RenewalPhase.RELEASED_MEANWHILE : RenewalPhase.IN_PROGRESS;
        }
        lossActions.clear();
    }

    synchronized void settled() {
        phase = WorkPhase.SETTLED;
    }

    /** Whether its end was recorded, released or left to its lease. */
    synchronized boolean isSettled() {
        return phase == WorkPhase.SETTLED;
    }

    private boolean hasEnded() {
        return phase == WorkPhase.ENDED || phase == WorkPhase.SETTLED;
    }

    @Override
    public synchronized Duration left() {
        return ownership == Ownership.TAKEN || hasEnded()
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(0, until - terms.now()));
    }

    @Override
    public synchronized boolean stillOwned() {
        return ownership == Ownership.CONFIRMED && !hasEnded() && !isLost(terms.now());
    }

    @Override
    public void onLost(Runnable action) {
        Objects.requireNonNull(action, "an action to be run on the loss of the lease");
        synchronized (this) {
            if (hasEnded()) {
                return;
            }
            if (!isLost(terms.now())) {
                lossActions.add(action);
                return;
            }
        }
        lossActions.runNow(action);
    }

    /** After {@code maxHold} and its last lease no claim is held any longer, confirmed or not. */
    private boolean isLost(long now) {
        return ownership == Ownership.TAKEN
                || hasLapsed(now)
                || heldLongerThan(terms.maxHold().plus(claim.lease()), now);
    }

    /** A claim that no store has confirmed cannot lapse; it can turn out to be another owner's. */
    private boolean hasLapsed(long now) {
        return ownership == Ownership.CONFIRMED && now - until >= 0;
    }

    private boolean heldLongerThan(Duration time, long now) {
        return now - begun >= time.toNanos();
    }

    /** Whether it is not renewed any more, though the work goes on: the key is free when the lease has ended. */
    boolean isHeldTooLong(long now) {
        return heldLongerThan(terms.maxHold(), now);
    }

    /** Whether its loss was reported by now, and no renewal will ever follow. */
    boolean isGivenUp(long now) {
        return heldLongerThan(terms.maxHold().plus(claim.lease().multipliedBy(2)), now);
    }

    /** Whether to renew now, as the next tick would come after a third of the lease. */
    synchronized boolean beginRenewal(long now, Duration tick) {
        boolean due = now - until + claim.lease().toNanos() + tick.toNanos()
                > claim.lease().dividedBy(3).toNanos();
        if (hasEnded() || ownership == Ownership.TAKEN || !due || isHeldTooLong(now)) {
            return false;
        }
        renewal = RenewalPhase.IN_PROGRESS; // it may be so already, after a tick that an error ended
        return true;
    }

    /**
     * @param answer none when the store did not give one
     * @param askedAt when it was asked, on the ticker
     * @param provesOwnership whether the store that answered is the one that all replicas ask
     * @return whether the claim was released while its renewal was in progress, which may have claimed the key again
     */
    synchronized boolean endRenewal(@Nullable Renewal answer, long askedAt, boolean provesOwnership) {
        boolean wasReleased = renewal == RenewalPhase.RELEASED_MEANWHILE;
        renewal = RenewalPhase.IDLE;
        if (loss == LossReport.NONE && hasLapsed(terms.now())) {
            loss = LossReport.LAPSED; // a copy may have run meanwhile
        }
        if (answer == Renewal.HELD) {
            until = askedAt + claim.lease().toNanos();
            if (ownership == Ownership.UNCONFIRMED && provesOwnership) {
                ownership = Ownership.CONFIRMED;
            }
            if (loss == LossReport.REPORTED) {
                loss = LossReport.NONE;
            }
        } else if (answer == Renewal.LOST) {
            ownership = Ownership.TAKEN;
        }
        return wasReleased;
    }

    /**
     * Runs the actions on a loss; one that finds no thread is tried again the next time.
     *
     * @return whether the claim was lost since the last time
     */
    boolean reportLoss() {
        boolean isNew;
        List<Runnable> actions;
        synchronized (this) {
            boolean isLost = isLost(terms.now());
            if (hasEnded() || !(loss == LossReport.LAPSED || isLost)) {
                return false;
            }
            isNew = loss != LossReport.REPORTED;
            loss = isLost
                    ? LossReport.REPORTED
                    : LossReport.NONE; // none when it was regained: the next loss is another one
            actions = lossActions.take();
        }
        actions.forEach(lossActions::runOrKeep);
        return isNew;
    }
}
