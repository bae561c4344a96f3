package dev.exactlyonce.sender.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends attempts whose time is up. The client's own limits are for one read each, which a receiver that drips a byte a second
 * never comes to. One thread for all: ending an attempt closes its socket, and waits for nothing. Thread-safe.
 */
final class Deadlines implements AutoCloseable {
    private final TransportTimeouts timeouts;
    private final ScheduledThreadPoolExecutor timer;

    Deadlines(TransportTimeouts timeouts) {
        this.timeouts = timeouts;
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "exactly-once-deadlines");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Until it is closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** @throws RejectedExecutionException when this is closed */
    Watch watch(ExchangeProgress exchange) {
        Future<?> toConnect = after(timeouts.toConnect(), exchange::cutUnlessSending);
        Future<?> forAnswer = after(timeouts.forAnswer(), exchange::cut);
        return () -> {
            toConnect.cancel(false);
            forAnswer.cancel(false);
        };
    }

    private Future<?> after(Duration time, Runnable work) {
        return timer.schedule(work, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
