package dev.exactlyonce.turn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The threads of this replica that wait for a session, by token. Thread-safe. */
final class TurnWaiters implements TurnStore.WakeUps {
    /** A thread that waits. */
    final class TurnWaiter {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private boolean isWoken;
        private long askAt;

        /** Waits until it should ask the store again: when it is woken, or at this moment on the ticker. */
        void awaitUntil(long latest) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                askAt = latest;
                for (long left = latest - now(); !isWoken && left > 0; left = askAt - now()) {
                    long ignored = changed.awaitNanos(left);
                }
                isWoken = false;
            } finally {
                lock.unlock();
            }
        }

        private void wake() {
            lock.lock();
            try {
                isWoken = true;
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        private void askAfterOffer() {
            lock.lock();
            try {
                long afterOffer = now() + TurnStore.OFFER.toNanos();
                if (afterOffer - askAt < 0) {
                    askAt = afterOffer;
                    changed.signal();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final LongSupplier ticker;
    private final Map<String, TurnWaiter> waiters = new ConcurrentHashMap<>();

    TurnWaiters(LongSupplier ticker) {
        this.ticker = ticker;
    }

    private long now() {
        return ticker.getAsLong();
    }

    /** To be called before the store is asked: an offer may come before its answer. */
    TurnWaiter enter(String token) {
        return waiters.computeIfAbsent(token, it -> new TurnWaiter());
    }

    void leave(String token) {
        waiters.remove(token);
    }

    @Override
    public void offered(String token) {
        TurnWaiter waiter = waiters.get(token);
        if (waiter != null) {
            waiter.wake();
        }
    }

    @Override
    public void next(String token) {
        TurnWaiter waiter = waiters.get(token);
        if (waiter != null) {
            waiter.askAfterOffer();
        }
    }

    @Override
    public void all() {
        waiters.values().forEach(TurnWaiter::wake);
    }
}
