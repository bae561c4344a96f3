package dev.exactlyonce.turn;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Turns of this process alone. Thread-safe; it never waits, and never fails. */
public final class LocalTurns implements TurnStore {
    /** A session that is held, offered or waited for. */
    private static final class LocalSession {
        private final Map<String, Long> waitingUntil = new LinkedHashMap<>(); // by token, in the order of arrival
        private @Nullable String holder;
        private long heldUntil;
        private long fence;

        boolean isHeldBy(String token, long now) {
            return token.equals(holder) && !isFree(now);
        }

        boolean isFree(long now) {
            return holder == null || heldUntil - now <= 0;
        }

        @Nullable
        String first(long now) {
            for (Iterator<Map.Entry<String, Long>> it = waitingUntil.entrySet().iterator(); it.hasNext(); ) {
                Map.Entry<String, Long> next = it.next();
                if (next.getValue() - now > 0) {
                    return next.getKey();
                }
                it.remove();
            }
            return null;
        }
    }

    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Map<String, LocalSession> sessions = new HashMap<>();
    private long lastFence;
    private @Nullable WakeUps listener;

    /**
     * @param clock begins the fences, so that they do not start again with the process
     * @param ticker nanoseconds of a clock that only moves forward
     */
    public LocalTurns(InstantSource clock, LongSupplier ticker) {
        this.clock = clock;
        this.ticker = ticker;
    }

    @Override
    public synchronized void listen(WakeUps wakeUps) {
        listener = wakeUps;
    }

    @Override
    public synchronized TakeReply take(TurnRequest request) {
        long now = ticker.getAsLong();
        LocalSession session = sessions.computeIfAbsent(request.session().value(), name -> new LocalSession());
        if (session.isHeldBy(request.token(), now)) {
            session.heldUntil = now + request.ttl().toNanos();
            return new TakeReply.Taken(session.fence);
        }
        if (session.isFree(now)) {
            String first = session.first(now);
            if (first == null || first.equals(request.token())) {
                return new TakeReply.Taken(hold(session, request, now));
            }
            offer(session, first, now);
        }
        if (!request.longestWait().isZero()) {
            session.waitingUntil.putIfAbsent(
                    request.token(), now + request.longestWait().toNanos());
        }
        return new TakeReply.Queued(Duration.ofNanos(Math.max(1, session.heldUntil - now)));
    }

    private long hold(LocalSession session, TurnRequest request, long now) {
        session.waitingUntil.remove(request.token());
        session.holder = request.token();
        session.heldUntil = now + request.ttl().toNanos();
        session.fence = nextFence();
        return session.fence;
    }

    /** Of all sessions together: greater than any before, and not smaller than the time in microseconds. */
    private long nextFence() {
        lastFence = Math.max(lastFence + 1, clock.millis() * 1_000);
        return lastFence;
    }

    private void offer(LocalSession session, String token, long now) {
        session.waitingUntil.remove(token);
        session.holder = token;
        session.heldUntil = now + OFFER.toNanos();
        session.fence = nextFence();
        if (listener != null) {
            listener.offered(token);
        }
    }

    @Override
    public synchronized boolean release(TurnRequest request) {
        LocalSession session = sessions.get(request.session().value());
        if (session == null) {
            return false;
        }
        long now = ticker.getAsLong();
        session.waitingUntil.remove(request.token());
        boolean isHolder = session.isHeldBy(request.token(), now);
        if (isHolder || session.isFree(now)) {
            session.holder = null;
            String next = session.first(now);
            if (next == null) {
                sessions.remove(request.session().value());
            } else {
                offer(session, next, now);
            }
        }
        return isHolder;
    }

    @Override
    public synchronized List<TurnRenewal> renewAll(List<TakenTurn> turns) {
        long now = ticker.getAsLong();
        List<TurnRenewal> renewals = new ArrayList<>(turns.size());
        for (TakenTurn turn : turns) {
            LocalSession session = sessions.get(turn.request().session().value());
            boolean isHeld = session != null && turn.request().token().equals(session.holder);
            if (session != null && isHeld) {
                session.heldUntil = now + turn.request().ttl().toNanos();
            }
            renewals.add(isHeld ? TurnRenewal.HELD : TurnRenewal.LOST);
        }
        return renewals;
    }

    @Override
    public void probe() {
        // there is nothing that could be away
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
