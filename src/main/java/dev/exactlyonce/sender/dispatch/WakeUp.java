package dev.exactlyonce.sender.dispatch;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Until when a loop waits: others may want it sooner. Thread-safe. */
final class WakeUp {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sooner = lock.newCondition();
    private final LongSupplier nanoTime;
    private boolean isWanted;
    private long wantedAt;

    WakeUp(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void now() {
        in(Duration.ZERO);
    }

    void in(Duration delay) {
        lock.lock();
        try {
            long at = nanoTime.getAsLong() + delay.toNanos();
            if (!isWanted || at - wantedAt < 0) {
                isWanted = true;
                wantedAt = at;
                sooner.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is wanted, and at most that long. */
    void await(Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long end = nanoTime.getAsLong() + atMost.toNanos();
            while (true) {
                long until = isWanted && wantedAt - end < 0 ? wantedAt : end;
                long left = until - nanoTime.getAsLong();
                if (left <= 0) {
                    isWanted = isWanted && wantedAt - until > 0; // what is wanted later stays so
                    return;
                }
                sooner.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
