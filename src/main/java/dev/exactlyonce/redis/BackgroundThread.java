package dev.exactlyonce.redis;

import dev.exactlyonce.common.DaemonThreads;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread for work that blocks or is repeated. It survives what its work throws, and ends while it is idle. */
public final class BackgroundThread implements Executor {
    private static final System.Logger LOG = System.getLogger(BackgroundThread.class.getName());
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    private final ScheduledThreadPoolExecutor executor;

    public BackgroundThread(String name) {
        this.executor = new ScheduledThreadPoolExecutor(1, new DaemonThreads(name));
        executor.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable work) {
        executor.execute(() -> runLogged(work));
    }

    /** Runs the work again and again, this long after it ended. */
    public void repeat(Duration delay, Runnable work) {
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
    public void close(Runnable last) {
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
