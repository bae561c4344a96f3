package dev.exactlyonce.store.redis;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what it is told. */
final class Watched implements RedisStore.Watcher {
    final AtomicInteger restarts = new AtomicInteger();
    final AtomicInteger told = new AtomicInteger();
    volatile boolean mayEvict;

    @Override
    public void restarted() {
        restarts.incrementAndGet();
    }

    @Override
    public void mayEvict(boolean may) {
        mayEvict = may;
        told.incrementAndGet();
    }
}
