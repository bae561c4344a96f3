package dev.exactlyonce.store.redis;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what is reported. */
final class Watched implements RedisStore.Watcher {
    final AtomicInteger restarts = new AtomicInteger();
    final AtomicInteger reported = new AtomicInteger();
    final Set<RedisStore.Hidden> hidden = Collections.synchronizedSet(EnumSet.noneOf(RedisStore.Hidden.class));
    volatile boolean mayEvict;
    volatile SortedSet<String> others = new TreeSet<>();

    @Override
    public void restarted() {
        restarts.incrementAndGet();
    }

    @Override
    public void mayEvict(boolean may) {
        mayEvict = may;
        reported.incrementAndGet();
    }

    @Override
    public void hidden(RedisStore.Hidden what, boolean is) {
        if (is ? !hidden.add(what) : !hidden.remove(what)) {
            throw new IllegalStateException("reported twice: " + what);
        }
    }

    @Override
    public void sharedWith(SortedSet<String> applications) {
        others = applications;
    }
}
