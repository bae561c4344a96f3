package dev.exactlyonce.cdi;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The module's work beside the deliveries. What comes again and again runs on the server's managed executor where there is
 * one, else on daemon threads of our own; what the background tells users' code runs on threads of its own always, so that code
 * which blocks stops no renewal.
 */
final class Background implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Background.class.getName());
    private static final String MANAGED = "java:comp/DefaultManagedScheduledExecutorService";
    private static final int OWN_THREADS = 2; // a guard that waits for its store must not delay a renewal
    private static final int MOST_CALLBACKS = 4;

    private final ScheduledExecutorService scheduler;
    private final Optional<ScheduledExecutorService> own;
    private final ExecutorService teller = threads("exactly-once-events", 1);
    private final ExecutorService callbacks = threads("exactly-once-callbacks", MOST_CALLBACKS);
    private final List<Future<?>> repeated = new ArrayList<>();

    Background() {
        Optional<ScheduledExecutorService> managed = managed();
        own = managed.isPresent()
                ? Optional.empty()
                : Optional.of(Executors.newScheduledThreadPool(OWN_THREADS, daemons("exactly-once-background")));
        scheduler = managed.or(() -> own).orElseThrow();
    }

    /** A managed one is looked up by the name of its plain type, as its own may be missing. */
    @SuppressWarnings("BanJNDI") // a constant name
    private static Optional<ScheduledExecutorService> managed() {
        try {
            return Optional.of((ScheduledExecutorService) new InitialContext().lookup(MANAGED));
        } catch (NamingException | ClassCastException none) {
            LOG.log(Level.DEBUG, "no managed executor is there; threads of our own do", none);
            return Optional.empty();
        }
    }

    private static ExecutorService threads(String name, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most,
                most,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons(name),
                new ThreadPoolExecutor.DiscardPolicy()); // after the stop there is nobody to tell
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs the task again and again, this long after it ended; what it throws is logged. */
    void every(Duration delay, Runnable task) {
        long nanos = delay.toNanos();
        repeated.add(scheduler.scheduleWithFixedDelay(() -> runLogged(task), nanos, nanos, TimeUnit.NANOSECONDS));
    }

    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (Throwable fault) { // a scheduler ends what throws
            LOG.log(Level.ERROR, "EXON0514 the background work failed; it will be tried again", fault);
        }
    }

    /** One task after the other. */
    Executor inOrder() {
        return teller;
    }

    /** For what users want to be run. */
    Executor callbacks() {
        return callbacks;
    }

    @Override
    public void close() {
        repeated.forEach(it -> it.cancel(false));
        own.ifPresent(ExecutorService::shutdownNow);
        teller.shutdownNow();
        callbacks.shutdownNow();
    }
}
