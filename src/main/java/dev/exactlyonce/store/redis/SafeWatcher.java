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

    /** @param executor one thread, so that the watcher is called in order */
    SafeWatcher(RedisStore.Watcher watcher, Executor executor) {
        this.watcher = watcher;
        this.executor = executor;
    }

    @Override
    public void restarted() {
        call(watcher::restarted);
    }

    @Override
    public void mayEvict(boolean may) {
        call(() -> watcher.mayEvict(may));
    }

    @Override
    public void hidden(RedisStore.Hidden what, boolean is) {
        call(() -> watcher.hidden(what, is));
    }

    @Override
    public void sharedWith(SortedSet<String> applications) {
        call(() -> watcher.sharedWith(applications));
    }

    private void call(Runnable what) {
        try {
            executor.execute(() -> {
                try {
                    what.run();
                } catch (Throwable e) {
                    LOG.log(Level.WARNING, "EXON0212 a watcher of Redis failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "the Redis store was closed before its watcher was called");
        }
    }
}
