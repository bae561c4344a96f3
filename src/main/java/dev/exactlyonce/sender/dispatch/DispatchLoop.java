package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.common.SafeLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Queries the outbox at least once a second, which finds what is overdue, and sooner when something is due sooner. */
final class DispatchLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DispatchLoop.class.getName());
    private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(1);

    private final Dispatcher dispatcher;
    private final Thread thread = new DaemonThreads("exactly-once-sender").newThread(this::run);
    private volatile boolean closing;
    private boolean isReported;

    DispatchLoop(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        thread.start();
    }

    private void run() {
        while (!closing) {
            try {
                tick();
                dispatcher.wakeUp().await(AT_LEAST_EVERY);
            } catch (InterruptedException interrupted) { // only closing ends this thread
                LOG.log(Level.DEBUG, "interrupted while waiting", interrupted);
            } catch (Throwable fault) { // the waiting itself failed
                SafeLog.log(LOG, Level.ERROR, "EXON0710 the sender's loop failed; it goes on", fault);
            }
        }
    }

    private void tick() {
        try {
            dispatcher.tick();
            isReported = false;
        } catch (Throwable failure) { // of any kind: the loop must go on
            if (!isReported) {
                SafeLog.log(LOG, Level.WARNING, "EXON0701 the outbox cannot be read; retrying every second", failure);
                isReported = true;
            }
        }
    }

    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
