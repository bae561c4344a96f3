package dev.exactlyonce.sender;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Looks into the outbox at least once a second, which sweeps what is overdue, and sooner when something is due sooner. */
final class DispatchLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DispatchLoop.class.getName());
    private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(1);

    private final Dispatcher dispatcher;
    private final Thread thread = new Thread(this::run, "exactly-once-sender");
    private volatile boolean closing;

    DispatchLoop(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        boolean isTold = false;
        while (!closing) {
            try {
                dispatcher.tick();
                isTold = false;
            } catch (RuntimeException | Error trouble) { // whatever it is, the loop must live on
                if (!isTold) {
                    LOG.log(Level.WARNING, "EXON0701 the outbox cannot be read; tried again every second", trouble);
                    isTold = true;
                }
            }
            try {
                dispatcher.wakeUp().await(AT_LEAST_EVERY);
            } catch (InterruptedException stop) {
                return;
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
