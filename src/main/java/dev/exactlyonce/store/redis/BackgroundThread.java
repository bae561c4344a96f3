package dev.exactlyonce.store.redis;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one thread of a store's own, for whatever blocks or comes again and again. It survives what its work throws. */
final class BackgroundThread implements Executor {
    private static final System.Logger LOG = System.getLogger(BackgroundThread.class.getName());
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, work -> {
        Thread thread = new Thread(work, "exactly-once-redis");
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public void execute(Runnable work) {
        executor.execute(() -> runLogged(work));
    }

    /** Runs the work again and again, this long after it ended. */
    void repeat(Duration delay, Runnable work) {
        long nanos = delay.toNanos();
        var unused = executor.scheduleWithFixedDelay(() -> runLogged(work), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static void runLogged(Runnable work) {
        try {
            work.run();
        } catch (Throwable fault) { // a scheduler ends what throws
            LOG.log(Level.ERROR, "EXON0213 the background work of the Redis store failed", fault);
        }
    }

    /** Ends it after what waits, and this. */
    void close(Runnable last) {
        execute(last);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.DEBUG, "the Redis client did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
