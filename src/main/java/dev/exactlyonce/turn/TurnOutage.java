package dev.exactlyonce.turn;

import dev.exactlyonce.event.TurnLockDegraded;
import dev.exactlyonce.event.TurnLockEvent;
import dev.exactlyonce.event.TurnLockRestored;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the shared store of turns is unavailable: the degraded fact of the owner {@code turn_lock:redis}, of the kind {@code
 * capability}. The first failure raises it, the next success clears it. After several failures in a row one caller in a second
 * asks, so that not every turn waits for a store that is silent. Thread-safe.
 */
public final class TurnOutage {
    private static final System.Logger LOG = System.getLogger(TurnOutage.class.getName());
    private static final int FAILURES_IN_A_ROW = 3;
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * A turn lock that is weaker than configured.
     *
     * @param reason what is weaker
     * @param since when it began
     * @param hint what to check; names settings, never their values
     */
    public record Fact(String reason, Instant since, String hint) {}

    private final String owner;
    private final String hint;
    private final InstantSource clock;
    private final Consumer<TurnLockEvent> listener;
    private int failures;
    private long askAgain;
    private @Nullable Fact fact;

    /**
     * @param owner such as {@code turn_lock:redis}
     * @param hint what to check in an outage
     * @param listener hears each transition, and hands it on at once: a lock is held while it does
     */
    public TurnOutage(String owner, String hint, InstantSource clock, Consumer<TurnLockEvent> listener) {
        this.owner = owner;
        this.hint = hint;
        this.clock = clock;
        this.listener = listener;
    }

    /** The name of the readiness check. */
    public String name() {
        return "capability:" + owner;
    }

    /** What is weaker than configured now. */
    public synchronized Optional<Fact> fact() {
        return Optional.ofNullable(fact);
    }

    boolean stands() {
        return fact().isPresent();
    }

    /** Whether the caller should ask the store now; of those that come within a second of an outage, the first. */
    synchronized boolean mayAsk(long now) {
        if (failures < FAILURES_IN_A_ROW) {
            return true;
        }
        if (askAgain - now > 0) {
            return false;
        }
        askAgain = now + PAUSE_NANOS;
        return true;
    }

    synchronized void failed(StoreUnavailableException failure, long now) {
        failures++;
        askAgain = now + PAUSE_NANOS;
        if (fact == null) {
            Fact raised = new Fact(
                    owner + " unavailable (turns serialised per replica): " + failure.getMessage(),
                    clock.instant(),
                    hint);
            fact = raised;
            LOG.log(Level.WARNING, "EXON0903 {0} degraded: {1}; {2}", name(), raised.reason(), hint);
            listener.accept(new TurnLockDegraded(raised.reason(), raised.since(), hint));
        }
    }

    synchronized void succeeded() {
        failures = 0;
        Fact was = fact;
        if (was != null) {
            fact = null;
            LOG.log(Level.INFO, "EXON0904 {0} restored; was degraded since {1}", name(), was.since());
            listener.accept(new TurnLockRestored(was.reason(), was.since(), was.hint()));
        }
    }
}
