package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.Renewal;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this replica knows of its claim while the handler runs. The lease is counted from the moment a confirmed reserve or
 * renewal was sent: never later than the store counts it, whatever the reply's way took. Thread-safe.
 */
public final class Lease {
    private static final System.Logger LOG = System.getLogger(Lease.class.getName());

    private final PreparedDelivery delivery;
    private final Claim claim;
    private final Terms terms;
    private final long begun;
    private final List<Runnable> onLost = new ArrayList<>();

    private long until;
    private boolean confirmed;
    private boolean taken;
    private boolean told;
    private boolean lapsed;
    private boolean renewing;
    private boolean settling;
    private boolean settled;
    private boolean ended;
    private boolean released;
    private boolean duplicate;

    /**
     * What all leases of a replica share.
     *
     * @param maxHold how long a lease is renewed at most
     * @param callbackExecutor runs what wants to hear of a loss
     */
    record Terms(Duration maxHold, LongSupplier ticker, Executor callbackExecutor) {
        long now() {
            return ticker.getAsLong();
        }
    }

    /**
     * @param askedAt when the store was asked, on the ticker
     * @param confirmed whether it granted the claim; else it could not be reached
     */
    Lease(PreparedDelivery delivery, Claim claim, long askedAt, boolean confirmed, Terms terms) {
        this.delivery = delivery;
        this.claim = claim;
        this.terms = terms;
        this.begun = askedAt;
        this.until = askedAt + claim.lease().toNanos();
        this.confirmed = confirmed;
    }

    Claim claim() {
        return claim;
    }

    PreparedDelivery delivery() {
        return delivery;
    }

    /** Whether the delivery was recorded before, and reaches the handler once more as its source forwards duplicates. */
    public synchronized boolean isDuplicate() {
        return duplicate;
    }

    synchronized void endAsDuplicate() {
        duplicate = true;
        ended = true;
        settled = true;
    }

    /** Whether the caller is the first to settle it: a stage may tell of its end and fail to be followed as well. */
    synchronized boolean beginSettlement() {
        boolean isFirst = !settling;
        settling = true;
        return isFirst;
    }

    synchronized void settled() {
        settled = true;
    }

    /** Whether its end was recorded, released or given up on. */
    synchronized boolean isSettled() {
        return settled;
    }

    /** How much is left, never negative; zero once the claim was lost or the work has ended. */
    public synchronized Duration left() {
        return taken || ended ? Duration.ZERO : Duration.ofNanos(Math.max(0, until - terms.now()));
    }

    /** Whether no other replica can have the key now: false, too, when no store has confirmed the claim. */
    public synchronized boolean stillOwned() {
        return confirmed && !ended && !isLost(terms.now());
    }

    /**
     * Hears of the loss once, on a thread of the module's own: when another owner is found, or when the lease has ended
     * before a renewal was confirmed, noticed within a third of the shortest lease. At once when it is lost already.
     * Never once the work has ended.
     */
    public void onLost(Runnable action) {
        Objects.requireNonNull(action, "an action to be run on the loss of the lease");
        synchronized (this) {
            if (ended) {
                return;
            }
            if (!isLost(terms.now())) {
                onLost.add(action);
                return;
            }
        }
        terms.callbackExecutor().execute(action);
    }

    /**
     * A claim that no store has confirmed cannot lapse; it can turn out to be somebody else's. After {@code maxHold} and its
     * last lease no claim is held any longer, confirmed or not.
     */
    private boolean isLost(long now) {
        return taken
                || (confirmed && now - until >= 0)
                || heldLongerThan(terms.maxHold().plus(claim.lease()), now);
    }

    private boolean heldLongerThan(Duration time, long now) {
        return now - begun >= time.toNanos();
    }

    /** Whether it is not renewed any more, though the work goes on: the key is free when the lease has ended. */
    boolean isHeldTooLong(long now) {
        return heldLongerThan(terms.maxHold(), now);
    }

    /** Whether its loss has been told by now, and no renewal will ever follow. */
    boolean isGivenUp(long now) {
        return heldLongerThan(terms.maxHold().plus(claim.lease().multipliedBy(2)), now);
    }

    /** Whether to renew now, as the next tick would be after a third of the lease. */
    synchronized boolean beginRenewal(long now, Duration tick) {
        boolean due = now - until + claim.lease().toNanos() + tick.toNanos()
                > claim.lease().dividedBy(3).toNanos();
        if (ended || taken || !due || isHeldTooLong(now)) {
            return false;
        }
        renewing = true; // it may be so already, after a tick that an error ended
        return true;
    }

    /**
     * @param answer none when the store did not give one
     * @param askedAt when it was asked, on the ticker
     * @param provesOwnership whether the store that answered is the one that all replicas ask
     * @return whether the claim was released while its renewal was on the way, which may have claimed it again
     */
    synchronized boolean endRenewal(@Nullable Renewal answer, long askedAt, boolean provesOwnership) {
        renewing = false;
        lapsed |= !told && confirmed && terms.now() - until >= 0; // a copy may have run meanwhile
        if (answer == Renewal.HELD) {
            until = askedAt + claim.lease().toNanos();
            confirmed = confirmed || provesOwnership;
            told = false;
        } else if (answer == Renewal.LOST) {
            taken = true;
        }
        return released;
    }

    /** The work has ended: from here on nothing is renewed. */
    synchronized void end(boolean toBeReleased) {
        ended = true;
        released = toBeReleased && renewing;
        onLost.clear();
    }

    /**
     * Tells of a loss to whoever wants to hear of it; what no thread could be found for is told the next time.
     *
     * @return whether there was one since the last time
     */
    boolean tellLoss() {
        boolean isNew;
        List<Runnable> actions;
        synchronized (this) {
            boolean isLost = isLost(terms.now());
            if (ended || !(lapsed || isLost)) {
                return false;
            }
            isNew = lapsed || !told;
            told = isLost; // else it was won again, and a next loss is another one
            lapsed = false;
            actions = List.copyOf(onLost);
            onLost.clear();
        }
        actions.forEach(this::tell);
        return isNew;
    }

    private void tell(Runnable action) {
        try {
            terms.callbackExecutor().execute(action);
        } catch (Throwable noThread) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0107 an action of Delivery.onLost found no thread to run on; it is tried again",
                    noThread);
            synchronized (this) {
                onLost.add(action);
            }
        }
    }
}
