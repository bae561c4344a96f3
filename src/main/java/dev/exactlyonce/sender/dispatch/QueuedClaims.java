package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.EventQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The claimed events that wait for their attempts, and their leases. Thread-safe. */
final class QueuedClaims {
    private static final System.Logger LOG = System.getLogger(QueuedClaims.class.getName());

    /** With less of its lease left an attempt might outlive it. */
    private static final long LEAST_LEFT_NANOS =
            Endpoint.ANSWER_WITHIN.plusSeconds(5).toNanos();

    private final EventQueue events;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final Set<QueuedClaim> waiting = ConcurrentHashMap.newKeySet();

    QueuedClaims(EventQueue events, Duration lease, LongSupplier nanoTime) {
        this.events = events;
        this.lease = lease;
        this.nanoTime = nanoTime;
    }

    /** @param since nanoseconds, from before the claim was asked for */
    QueuedClaim add(ClaimedEvent event, long since) {
        QueuedClaim claim = new QueuedClaim(event, since);
        waiting.add(claim);
        return claim;
    }

    void remove(QueuedClaim claim) {
        waiting.remove(claim);
    }

    /** An event behind slow attempts may wait for longer than its lease, and must not be taken for the claim of a crashed replica. */
    void renewAll() {
        waiting.forEach(this::renewSafely);
    }

    private void renewSafely(QueuedClaim claim) {
        try {
            renew(claim);
        } catch (OutboxUnavailableException away) { // for the others as well
            throw away;
        } catch (RuntimeException | Error fault) { // its lease ends, and the others' must not
            waiting.remove(claim);
            SafeLog.log(LOG, Level.ERROR, "EXON0713 the claim of " + claim.event() + " could not be renewed", fault);
        }
    }

    private void renew(QueuedClaim claim) {
        long now = nanoTime.getAsLong();
        if (isEnding(claim, now)) {
            if (events.renew(claim.event(), lease)) {
                claim.renewed(now);
            } else {
                waiting.remove(claim);
            }
        }
    }

    /** Takes it out for its attempt; false when another owner has it now. */
    boolean begin(QueuedClaim claim) {
        waiting.remove(claim);
        return !isEnding(claim, nanoTime.getAsLong()) || events.renew(claim.event(), lease);
    }

    private boolean isEnding(QueuedClaim claim, long now) {
        return claim.left(lease, now) < LEAST_LEFT_NANOS;
    }
}
