package dev.exactlyonce.cdi;

import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.common.SafeLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The module's work beside the deliveries, on threads of its own always: on the server's executors it would queue behind the
 * very requests whose leases it renews. Each task has its thread, so that a guard that waits for its store delays no
 * renewal; and users' code has others, so that code which blocks stops neither.
 */
final class BackgroundThreads implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BackgroundThreads.class.getName());
    private static final int MOST_CALLBACKS = 4;

    private final DaemonThreads daemons = new DaemonThreads("exactly-once");
    private final ExecutorService events = threads(daemons.named("exactly-once-events"), 1);
    private final ExecutorService callbacks = threads(daemons.named("exactly-once-callbacks"), MOST_CALLBACKS);
    private final List<RepeatedTask> repeated = new ArrayList<>();

    private static ExecutorService threads(ThreadFactory daemons, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most,
                most,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons,
                new ThreadPoolExecutor.DiscardPolicy()); // after the stop there is no listener
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Runs the task again and again, this long after it ended; what it throws is logged. */
    void every(String thread, Duration delay, Runnable task) {
        repeated.add(new RepeatedTask(daemons.named(thread), delay, task));
    }

    /** One task after the other; what cannot be run is logged. */
    Executor inOrder() {
        return task -> {
            try {
                events.execute(() -> runLogged(task));
            } catch (Throwable noThread) {
                SafeLog.log(
                        LOG,
                        Level.ERROR,
                        "EXON0530 an event could not be fired: no thread to run its observers",
                        noThread);
            }
        };
    }

    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (Throwable fault) {
            SafeLog.log(LOG, Level.ERROR, "EXON0531 an event could not be fired", fault);
        }
    }

    /** For what users want to be run. */
    Executor callbacks() {
        return callbacks;
    }

    @Override
    public void close() {
        repeated.forEach(RepeatedTask::stop);
        repeated.forEach(RepeatedTask::close);
        events.shutdownNow();
        callbacks.shutdownNow();
    }
}
