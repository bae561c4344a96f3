package dev.exactlyonce.admission;

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
    private final PreparedDelivery delivery;
    private final Claim claim;
    private final LongSupplier ticker;
    private final Executor teller;
    private final long begun;
    private final List<Runnable> onLost = new ArrayList<>();

    private long until;
    private boolean confirmed;
    private boolean taken;
    private boolean told;
    private boolean lapsed;
    private boolean renewing;
    private boolean ended;
    private boolean released;
    private boolean duplicate;

    /**
     * @param askedAt when the store was asked, on the ticker
     * @param confirmed whether it granted the claim; else it could not be reached
     * @param teller runs what wants to hear of the loss
     */
    Lease(
            PreparedDelivery delivery,
            Claim claim,
            long askedAt,
            boolean confirmed,
            LongSupplier ticker,
            Executor teller) {
        this.delivery = delivery;
        this.claim = claim;
        this.ticker = ticker;
        this.teller = teller;
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
    }

    /** How much is left, never negative; zero once the claim was lost or the work has ended. */
    public synchronized Duration left() {
        return taken || ended ? Duration.ZERO : Duration.ofNanos(Math.max(0, until - ticker.getAsLong()));
    }

    /** Whether no other replica can have the key now: false, too, when no store has confirmed the claim. */
    public synchronized boolean stillOwned() {
        return confirmed && !ended && !isLost(ticker.getAsLong());
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
            if (!isLost(ticker.getAsLong())) {
                onLost.add(action);
                return;
            }
        }
        teller.execute(action);
    }

    /** A claim that no store has confirmed cannot lapse; it can turn out to be somebody else's. */
    private boolean isLost(long now) {
        return taken || (confirmed && now - until >= 0);
    }

    /** Whether its loss has been told by now, and no renewal will ever follow: work that never ends is not kept for ever. */
    synchronized boolean isGivenUp(long now, Duration maxHold) {
        return now - begun >= maxHold.plus(claim.lease().multipliedBy(2)).toNanos();
    }

    /** Whether to renew now, as the next tick would be after a third of the lease. */
    synchronized boolean beginRenewal(long now, Duration tick, Duration maxHold) {
        boolean due = now - until + claim.lease().toNanos() + tick.toNanos()
                > claim.lease().dividedBy(3).toNanos();
        if (renewing || ended || taken || !due || now - begun >= maxHold.toNanos()) {
            return false;
        }
        renewing = true;
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
        lapsed |= !told && confirmed && ticker.getAsLong() - until >= 0; // a copy may have run meanwhile
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

    /** Tells of a loss to whoever wants to hear of it. @return whether there was one since the last time */
    boolean tellLoss() {
        List<Runnable> actions;
        synchronized (this) {
            if (ended || told || !(lapsed || isLost(ticker.getAsLong()))) {
                return false;
            }
            told = isLost(ticker.getAsLong()); // else it was won again, and a next loss is another one
            lapsed = false;
            actions = List.copyOf(onLost);
            onLost.clear();
        }
        actions.forEach(teller::execute);
        return true;
    }
}
