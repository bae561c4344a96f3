package dev.exactlyonce.turn;

import dev.exactlyonce.Turn;
import dev.exactlyonce.common.SafeLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What this replica knows of a turn that it holds. The TTL is counted from the moment a confirmed request was sent: never
 * later than the store counts it. Thread-safe.
 */
final class HeldTurn implements Turn {
    private static final System.Logger LOG = System.getLogger(HeldTurn.class.getName());

    private enum TurnPhase {
        HELD,
        /** Another one has the session, or the TTL ended; reported. */
        LOST,
        CLOSED
    }

    /** What all turns of a replica share. */
    record TurnTerms(LongSupplier ticker, Executor callbackExecutor, Consumer<HeldTurn> closing) {}

    private final TakenTurn turn;
    private final boolean shared;
    private final TurnTerms terms;
    private final long begun;
    private final List<Runnable> lossActions = new ArrayList<>();

    private TurnPhase phase = TurnPhase.HELD;
    private long until;
    private boolean isRenewing;
    private boolean closedWhileRenewing;

    /**
     * @param shared whether all replicas ask the store that granted it
     * @param askedAt when the confirmed request was sent, on the ticker
     */
    HeldTurn(TakenTurn turn, boolean shared, long askedAt, TurnTerms terms) {
        this.turn = turn;
        this.shared = shared;
        this.terms = terms;
        this.begun = askedAt;
        this.until = askedAt + turn.request().ttl().toNanos();
    }

    TakenTurn turn() {
        return turn;
    }

    /** When it was taken, on the ticker. */
    long begun() {
        return begun;
    }

    /** Whether the store that all replicas ask has granted it. */
    boolean isShared() {
        return shared;
    }

    @Override
    public String session() {
        return turn.request().session().session();
    }

    @Override
    public long fence() {
        return turn.fence();
    }

    @Override
    public synchronized boolean stillHeld() {
        return shared && phase == TurnPhase.HELD && until - terms.ticker().getAsLong() > 0;
    }

    @Override
    public void onLost(Runnable action) {
        Objects.requireNonNull(action, "an action to be run on the loss of the turn");
        synchronized (this) {
            if (phase == TurnPhase.HELD) {
                lossActions.add(action);
            }
            if (phase != TurnPhase.LOST) {
                return;
            }
        }
        execute(action);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (phase == TurnPhase.CLOSED) {
                return;
            }
            phase = TurnPhase.CLOSED;
            closedWhileRenewing = isRenewing;
            lossActions.clear();
        }
        terms.closing().accept(this);
    }

    /** Whether it is to be renewed now, a third of its TTL after the last time; {@link #endRenewal} follows. */
    synchronized boolean beginRenewal(long now) {
        long third = turn.request().ttl().dividedBy(3).toNanos();
        isRenewing = phase == TurnPhase.HELD && until - now <= 2 * third;
        return isRenewing;
    }

    /**
     * @param askedAt when the store was asked, on the ticker
     * @return whether it was closed meanwhile: the renewal may have taken the session again
     */
    synchronized boolean endRenewal(TurnRenewal renewal, long askedAt) {
        isRenewing = false;
        if (renewal == TurnRenewal.HELD) {
            until = askedAt + turn.request().ttl().toNanos();
        } else if (renewal == TurnRenewal.LOST) {
            until = askedAt;
        }
        return closedWhileRenewing;
    }

    /**
     * Runs the actions on a loss.
     *
     * @return whether it was lost since the last time
     */
    boolean reportLoss() {
        List<Runnable> actions;
        synchronized (this) {
            if (phase != TurnPhase.HELD || until - terms.ticker().getAsLong() > 0) {
                return false;
            }
            phase = TurnPhase.LOST;
            actions = List.copyOf(lossActions);
            lossActions.clear();
        }
        actions.forEach(this::execute);
        return true;
    }

    private void execute(Runnable action) {
        terms.callbackExecutor().execute(() -> {
            try {
                action.run();
            } catch (Throwable fault) { // an application's code
                SafeLog.log(LOG, Level.ERROR, "EXON0902 an action of Turn.onLost failed", fault);
            }
        });
    }
}
