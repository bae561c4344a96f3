package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the handlers that run. Thread-safe. */
final class ActiveHandlers {
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    /** One of those that run, until it ends. Thread-safe. */
    final class RunningHandler {
        private final AtomicBoolean ended = new AtomicBoolean();

        /** Counts once, however often it is called: an end that fails half-way is tried again. */
        void end() {
            if (ended.compareAndSet(false, true)) {
                ended();
            }
        }
    }

    RunningHandler begin() {
        RunningHandler handler = new RunningHandler();
        count.incrementAndGet();
        return handler;
    }

    private void ended() {
        if (count.decrementAndGet() == 0) {
            lock.lock();
            try {
                none.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    boolean awaitNone(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (count.get() > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
            return count.get() == 0;
        } finally {
            lock.unlock();
        }
    }
}
