package dev.exactlyonce.guard;

import dev.exactlyonce.guard.StoreGuard.OutageWords;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The degraded facts of this replica. An outage is cleared by a successful write that was started after the last
 * failure, once nothing is owed; a late reply or a read proves nothing. A loss (a record forgotten early) ends at its
 * time. A refused deployment stays. The worse masks the milder, in the order refused, outage, loss. Thread-safe.
 */
public final class DegradedFacts {
    private static final System.Logger LOG = System.getLogger(DegradedFacts.class.getName());

    private final InstantSource clock;
    private final Consumer<DurabilityEvent> listener;

    private @Nullable DegradedFact refusal;
    private @Nullable DegradedFact standing;
    private @Nullable DegradedFact outage;
    private @Nullable DegradedFact loss;
    private Instant lossEnds = Instant.MIN;
    private long failures;
    private int owed;
    private @Nullable DegradedFact shown;

    /** @param listener hears each transition, in order, and hands it on at once: locks are held while it does */
    public DegradedFacts(InstantSource clock, Consumer<DurabilityEvent> listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /** To be taken before a store call, and given back when its write succeeded. */
    synchronized long mark() {
        return failures;
    }

    /** @return whether the outage began with this failure */
    synchronized boolean failed(OutageWords words) {
        failures++;
        return begin(words);
    }

    private boolean begin(OutageWords words) {
        boolean begins = outage == null;
        if (begins) {
            outage = new DegradedFact(words.reason(), clock.instant(), words.hint());
        }
        show();
        return begins;
    }

    synchronized void written(long mark) {
        if (mark == failures && owed == 0) {
            outage = null;
            show();
        }
    }

    /** While one is owed, the outage is not over, whatever has been written meanwhile. */
    synchronized void owe(OutageWords words) {
        owed++;
        begin(words);
    }

    synchronized void paid() {
        owed--;
    }

    /** A store that cannot ever be there, so that another stands in for it until the application is deployed again. */
    public synchronized void standIn(OutageWords words) {
        standing = new DegradedFact(words.reason(), clock.instant(), words.hint());
        show();
    }

    /** A part of the deployment was refused after the application had started: readiness is DOWN until it is redeployed. */
    public synchronized void refuseDeployment() {
        if (refusal == null) {
            refusal = new DegradedFact("deployment refused", clock.instant(), "the server's log names the class");
        }
        show();
    }

    synchronized boolean isDeploymentRefused() {
        return refusal != null;
    }

    /** A record was forgotten before its time: what it protects from is possible until then. */
    public synchronized void lost(String reason, String hint, Instant until) {
        show(); // an earlier loss may have ended unseen
        if (until.isAfter(lossEnds)) {
            lossEnds = until;
        }
        if (loss == null) {
            loss = new DegradedFact(reason, clock.instant(), hint);
        }
        show();
    }

    /** The fact to show now, the worst first. */
    public synchronized Optional<DegradedFact> current() {
        show();
        return Optional.ofNullable(shown);
    }

    synchronized boolean inOutage() {
        return outage != null || standing != null;
    }

    private void show() {
        if (loss != null && !lossEnds.isAfter(clock.instant())) {
            loss = null;
        }
        DegradedFact next = refusal != null ? refusal : standing != null ? standing : outage != null ? outage : loss;
        DegradedFact last = shown;
        if (Objects.equals(next, last)) {
            return;
        }
        shown = next;
        if (next != null) {
            LOG.log(Level.WARNING, "EXON0301 durability:idempotency degraded: {0}; {1}", next.reason(), next.hint());
            listener.accept(new DurabilityEvent.Degraded(next));
        } else if (last != null) {
            LOG.log(Level.INFO, "EXON0302 durability:idempotency restored; was degraded since {0}", last.since());
            listener.accept(new DurabilityEvent.Restored(last));
        }
    }
}
