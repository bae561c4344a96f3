package dev.exactlyonce.turn;

import dev.exactlyonce.Turn;
import dev.exactlyonce.TurnLock;
import dev.exactlyonce.TurnLockUnavailableException;
import dev.exactlyonce.TurnTimeoutException;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the turn lock. A turn is taken in the shared store first, where there is one, and then in this process: while
 * the shared store is unavailable, turns are taken in this process alone, and both kinds exclude each other here. Thread-safe.
 */
public final class TurnLocks implements TurnLock, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TurnLocks.class.getName());

    /**
     * How long turns take.
     *
     * @param ttl without a renewal
     * @param longestWait what {@link #take(String)} waits
     * @param maxHold how long a turn is renewed at most
     * @param rejectInOutage whether turns are refused while the shared store is unavailable
     */
    public record TurnLimits(Duration ttl, Duration longestWait, Duration maxHold, boolean rejectInOutage) {}

    /** A release that the shared store has not confirmed, repeated until the turn's TTL has ended. */
    private record PendingRelease(TurnRequest request, long until) {}

    private final TurnStore local;
    private final TurnQueue localQueue;
    private final @Nullable TurnStore shared;
    private final @Nullable TurnQueue sharedQueue;
    private final TurnOutage outage;
    private final TurnLimits limits;
    private final LongSupplier ticker;
    private final HeldTurn.TurnTerms terms;
    private final Set<HeldTurn> held = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<PendingRelease> releases = new ConcurrentLinkedQueue<>();

    /**
     * @param shared the store of all replicas; empty where turns are this process's own
     * @param callbackExecutor runs the actions on a loss
     */
    public TurnLocks(
            TurnStore local,
            Optional<TurnStore> shared,
            TurnOutage outage,
            TurnLimits limits,
            LongSupplier ticker,
            Executor callbackExecutor) {
        this.local = local;
        this.localQueue = new TurnQueue(local, ticker);
        this.shared = shared.orElse(null);
        this.sharedQueue = shared.map(it -> new TurnQueue(it, ticker)).orElse(null);
        this.outage = outage;
        this.limits = limits;
        this.ticker = ticker;
        this.terms = new HeldTurn.TurnTerms(ticker, callbackExecutor, this::close);
    }

    @Override
    public Turn take(String session) {
        return take(session, limits.longestWait());
    }

    @Override
    public Optional<Turn> tryTake(String session) {
        try {
            return Optional.of(take(session, Duration.ZERO));
        } catch (TurnTimeoutException taken) {
            return Optional.empty();
        }
    }

    /**
     * As {@link #take(String)}.
     *
     * @param rejectInOutage in place of the limits' own
     */
    public Turn takeOr(String session, boolean rejectInOutage) {
        return take(session, limits.longestWait(), rejectInOutage);
    }

    @Override
    public Turn take(String session, Duration wait) {
        return take(session, wait, limits.rejectInOutage());
    }

    private Turn take(String session, Duration wait, boolean rejectInOutage) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("the time to wait must not be negative, was " + wait);
        }
        TurnRequest request =
                new TurnRequest(SessionKey.of(session), UUID.randomUUID().toString(), limits.ttl(), wait);
        long until = ticker.getAsLong() + wait.toNanos();
        TurnQueue.GrantedTurn everywhere = takeShared(request, until, rejectInOutage);
        TurnQueue.GrantedTurn here = takeHere(request, until, everywhere);
        HeldTurn turn = everywhere == null
                ? new HeldTurn(here.turn(), shared == null, here.askedAt(), terms)
                : new HeldTurn(everywhere.turn(), true, everywhere.askedAt(), terms);
        held.add(turn);
        return turn;
    }

    /** Null where turns are this process's own, or the shared store is unavailable. */
    private TurnQueue.@Nullable GrantedTurn takeShared(TurnRequest request, long until, boolean rejectInOutage) {
        if (sharedQueue == null) {
            return null;
        }
        if (outage.mayAsk(ticker.getAsLong())) {
            try {
                TurnQueue.GrantedTurn granted = sharedQueue.take(request, until);
                outage.succeeded();
                return granted;
            } catch (TurnTimeoutException taken) {
                outage.succeeded();
                throw taken;
            } catch (StoreUnavailableException failure) {
                outage.failed(failure, ticker.getAsLong());
                releaseLater(request); // it may have been taken
            }
        }
        if (rejectInOutage) {
            throw new TurnLockUnavailableException("the turn lock's backend is unavailable");
        }
        return null;
    }

    private TurnQueue.GrantedTurn takeHere(
            TurnRequest request, long until, TurnQueue.@Nullable GrantedTurn everywhere) {
        try {
            return localQueue.take(request, until);
        } catch (RuntimeException | Error notTaken) {
            if (everywhere != null && shared != null) {
                release(shared, request);
            }
            throw notTaken;
        }
    }

    private void close(HeldTurn turn) {
        held.remove(turn);
        local.release(turn.turn().request());
        if (turn.isShared() && shared != null) {
            release(shared, turn.turn().request());
        }
    }

    private void release(TurnStore store, TurnRequest request) {
        try {
            store.release(request);
        } catch (StoreUnavailableException failure) {
            outage.failed(failure, ticker.getAsLong());
            releaseLater(request);
        }
    }

    private void releaseLater(TurnRequest request) {
        releases.add(new PendingRelease(
                request,
                ticker.getAsLong() + request.ttl().plus(request.longestWait()).toNanos()));
    }

    /** Renews the turns that are held, reports those that are lost, and looks whether the shared store is back. */
    public void tick() {
        long askedAt = ticker.getAsLong();
        List<HeldTurn> due = held.stream()
                .filter(it -> askedAt - it.begun() < limits.maxHold().toNanos())
                .filter(it -> it.beginRenewal(askedAt))
                .toList();
        List<TurnRenewal> here = local.renewAll(turns(due));
        TurnStore store = shared;
        if (store == null) {
            end(local, due, here, askedAt);
        } else {
            List<HeldTurn> everywhere = due.stream().filter(HeldTurn::isShared).toList();
            end(store, everywhere, renewals(store, everywhere), askedAt);
            for (int i = 0; i < due.size(); i++) {
                if (!due.get(i).isShared()) {
                    due.get(i).endRenewal(here.get(i), askedAt);
                }
            }
            probe(store);
            repeatReleases(store);
        }
        for (HeldTurn turn : held) {
            if (turn.reportLoss()) {
                LOG.log(
                        Level.WARNING,
                        "EXON0901 the turn of session {0} was lost while it was held",
                        turn.turn().request().session());
            }
        }
    }

    private static List<TakenTurn> turns(List<HeldTurn> held) {
        return held.stream().map(HeldTurn::turn).toList();
    }

    private void end(TurnStore store, List<HeldTurn> due, List<TurnRenewal> renewals, long askedAt) {
        for (int i = 0; i < due.size(); i++) {
            if (due.get(i).endRenewal(renewals.get(i), askedAt)) {
                release(store, due.get(i).turn().request()); // it may have taken the session again
            }
        }
    }

    private List<TurnRenewal> renewals(TurnStore store, List<HeldTurn> due) {
        if (due.isEmpty()) {
            return List.of();
        }
        try {
            return store.renewAll(turns(due));
        } catch (StoreUnavailableException failure) {
            outage.failed(failure, ticker.getAsLong());
            return due.stream().map(it -> TurnRenewal.UNANSWERED).toList();
        }
    }

    private void probe(TurnStore store) {
        if (outage.stands() && outage.mayAsk(ticker.getAsLong())) {
            try {
                store.probe();
                outage.succeeded();
            } catch (StoreUnavailableException failure) {
                outage.failed(failure, ticker.getAsLong());
            }
        }
    }

    private void repeatReleases(TurnStore store) {
        for (int left = releases.size(); left > 0 && !outage.stands(); left--) {
            PendingRelease next = releases.poll();
            if (next != null && next.until() - ticker.getAsLong() > 0) {
                release(store, next.request());
            }
        }
    }

    /** The turns that are held now, for tests and figures. */
    int countHeld() {
        return held.size();
    }

    /** Frees what is still held, and closes the stores. */
    @Override
    public void close() {
        new ArrayList<>(held).forEach(HeldTurn::close);
        local.close();
        if (shared != null) {
            shared.close();
        }
    }
}
