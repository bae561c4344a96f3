package dev.exactlyonce.cdi;

import dev.exactlyonce.common.SafeLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A task that runs again and again on a thread of its own, whatever it throws, until it is closed. */
final class RepeatedTask implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RepeatedTask.class.getName());

    /** A task that waits for a store comes back within this. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final long delayNanos;
    private final Runnable task;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /** @param delay from the end of one run to the next */
    RepeatedTask(ThreadFactory threads, Duration delay, Runnable task) {
        this.delayNanos = delay.toNanos();
        this.task = task;
        this.thread = threads.newThread(this::run);
        this.thread.start();
    }

    private void run() {
        while (closed.getCount() > 0) {
            try {
                if (!closed.await(delayNanos, TimeUnit.NANOSECONDS)) {
                    task.run();
                }
            } catch (InterruptedException interrupted) { // only closing ends this thread
                LOG.log(Level.DEBUG, "interrupted while waiting", interrupted);
            } catch (Throwable fault) {
                SafeLog.log(LOG, Level.ERROR, "EXON0514 the background work failed; it will be tried again", fault);
            }
        }
    }

    /** Begins no further run. */
    void stop() {
        closed.countDown();
    }

    /** Waits for a run on its way: what comes after the stop is not to run beside it. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
