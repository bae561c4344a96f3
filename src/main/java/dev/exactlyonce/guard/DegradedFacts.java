package dev.exactlyonce.guard;

import dev.exactlyonce.event.DurabilityEvent;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The degraded facts of this replica, of which the worst is shown. Thread-safe. */
public final class DegradedFacts {
    private static final System.Logger LOG = System.getLogger(DegradedFacts.class.getName());

    /** Where a fact comes from, the worst first: a worse one is never masked by a milder one. */
    public enum FactKind {
        /** A part of the deployment was refused after the application had started: until it is deployed again. */
        REFUSED,
        /** The durable store cannot ever be there, and another stands in until the application is deployed again. */
        NO_DURABLE_STORE,
        /** The store that stands in for the configured one is away, too. */
        FALLBACK_OUTAGE,
        /** The configured store is away. */
        OUTAGE,
        /** The configured store was never there since the start, and a fallback stands in. */
        FALLBACK,
        /** Another application uses the same keys of the configured store: it answers deliveries that never ran here. */
        SHARED,
        /** The configured store may have lost claims that it had granted. */
        LOST_CLAIMS,
        /** A record was forgotten before its time. */
        FORGOTTEN,
        /** The configured store may evict keys. */
        MAY_FORGET,
        /** The configured store does not permit a check whether it loses keys. */
        UNOBSERVED,
        /** The machine's wall clock was set. */
        CLOCK_JUMPED
    }

    private record Standing(DegradedFact fact, Instant until) {}

    private final InstantSource clock;
    private final Consumer<DurabilityEvent> listener;
    private final Map<FactKind, Standing> standing = new EnumMap<>(FactKind.class);
    private @Nullable Standing shown;

    /** @param listener hears each transition, in order, and hands it on at once: locks are held while it does */
    public DegradedFacts(InstantSource clock, Consumer<DurabilityEvent> listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /** Raises the fact until it is cleared; one of this kind that stands keeps its beginning, and takes a new reason. */
    public void raise(FactKind kind, String reason, String hint) {
        raiseUntil(kind, reason, hint, Instant.MAX);
    }

    /** Raises the fact until then; one of this kind that stands is lengthened, never shortened. */
    public synchronized void raiseUntil(FactKind kind, String reason, String hint, Instant until) {
        show(); // an earlier one may have ended unseen
        Standing now = standing.get(kind);
        Standing next;
        if (now == null || !now.fact().reason().equals(reason)) {
            Instant since = now == null ? clock.instant() : now.fact().since();
            next = new Standing(new DegradedFact(reason, since, hint), until);
        } else {
            next = until.isAfter(now.until()) ? new Standing(now.fact(), until) : now;
        }
        standing.put(kind, next);
        show();
        boolean isReported = now != null && now.fact().equals(next.fact());
        if (!isReported
                && next.until().equals(Instant.MAX)
                && !next.equals(shown)) { // what ends by itself may go unseen
            LOG.log(
                    Level.WARNING,
                    "EXON0350 durability:idempotency: " + reason + "; " + hint + " (a worse fact is shown)");
        }
    }

    /** A part of the deployment was refused after the application had started: readiness is DOWN until it is redeployed. */
    public void refuseDeployment() {
        raise(FactKind.REFUSED, "deployment refused", "the server's log names the class");
    }

    public synchronized void clear(FactKind kind) {
        standing.remove(kind);
        show();
    }

    /** Whether a fact of this kind stands, shown or masked. */
    synchronized boolean stands(FactKind kind) {
        show();
        return standing.containsKey(kind);
    }

    /** The fact to show now, the worst first. */
    public synchronized Optional<DegradedFact> current() {
        show();
        return Optional.ofNullable(shown).map(Standing::fact);
    }

    /** All facts that stand now, the worst first; {@link #current} is the first of them. */
    public synchronized List<DegradedFact> all() {
        show();
        return standing.values().stream().map(Standing::fact).toList();
    }

    private void show() {
        Instant now = clock.instant();
        standing.values().removeIf(it -> !it.until().isAfter(now));
        Standing next = standing.values().stream().findFirst().orElse(null);
        Standing last = shown;
        shown = next;
        if (next != null && (last == null || !next.fact().equals(last.fact()))) {
            log(next);
            listener.accept(next.fact().degraded());
        } else if (next == null && last != null) {
            DegradedFact was = last.fact();
            LOG.log(Level.INFO, "EXON0302 durability:idempotency restored; was degraded since {0}", was.since());
            listener.accept(was.restored());
        }
    }

    private static void log(Standing it) {
        LOG.log(
                Level.WARNING,
                "EXON0301 durability:idempotency degraded: {0}; {1}",
                it.fact().reason(),
                it.fact().hint());
    }
}
