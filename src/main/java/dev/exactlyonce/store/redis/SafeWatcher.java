package dev.exactlyonce.store.redis;

import java.lang.System.Logger.Level;
import java.util.SortedSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A watcher that stops no connection and breaks nothing when it fails. */
final class SafeWatcher implements RedisStore.Watcher {
    private static final System.Logger LOG = System.getLogger(SafeWatcher.class.getName());

    private final RedisStore.Watcher watcher;
    private final Executor executor;

    /** @param executor one thread, so that the watcher hears in order */
    SafeWatcher(RedisStore.Watcher watcher, Executor executor) {
        this.watcher = watcher;
        this.executor = executor;
    }

    @Override
    public void restarted() {
        tell(watcher::restarted);
    }

    @Override
    public void mayEvict(boolean may) {
        tell(() -> watcher.mayEvict(may));
    }

    @Override
    public void hidden(RedisStore.Hidden what, boolean is) {
        tell(() -> watcher.hidden(what, is));
    }

    @Override
    public void sharedWith(SortedSet<String> applications) {
        tell(() -> watcher.sharedWith(applications));
    }

    private void tell(Runnable what) {
        try {
            executor.execute(() -> {
                try {
                    what.run();
                } catch (Throwable e) {
                    LOG.log(Level.WARNING, "EXON0212 a watcher of Redis failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "the Redis store was closed before its watcher heard of a change");
        }
    }
}
