package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One endpoint's threads, its slots for claimed events, its circuit breaker. An endpoint that hangs fills its own slots and
 * delays no other. Thread-safe.
 */
final class EndpointWorker {
    /** Events that wait in memory for a thread, per thread: few enough that their leases hold. */
    private static final int WAITING_PER_THREAD = 8;

    /** Bytes that the bodies of waiting events may occupy together. */
    private static final int MOST_WAITING_BYTES = 64 << 20;

    private final Endpoint endpoint;
    private final EndpointCircuitBreaker circuit;
    private final ThreadPoolExecutor threads;
    private final AtomicInteger free;
    private volatile boolean mayHaveMore;

    EndpointWorker(Endpoint endpoint, EndpointCircuitBreaker circuit) {
        this(endpoint, circuit, new DaemonThreads("exactly-once-sender-" + endpoint.name()));
    }

    EndpointWorker(Endpoint endpoint, EndpointCircuitBreaker circuit, ThreadFactory daemons) {
        this.endpoint = endpoint;
        this.circuit = circuit;
        int most = endpoint.concurrency();
        this.free = new AtomicInteger(most + mostWaiting(endpoint));
        this.threads = new ThreadPoolExecutor(most, most, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
        threads.allowCoreThreadTimeOut(true);
    }

    private static int mostWaiting(Endpoint endpoint) {
        int fitting = MOST_WAITING_BYTES / Math.max(1, endpoint.maxBodySize());
        return Math.min(endpoint.concurrency() * WAITING_PER_THREAD, fitting);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    EndpointCircuitBreaker circuit() {
        return circuit;
    }

    /** Takes as many slots as are free, at most these; the caller must run something in each or release it. */
    int take(int most) {
        while (true) {
            int there = free.get();
            int taken = Math.min(there, most);
            if (taken <= 0 || free.compareAndSet(there, there - taken)) {
                return Math.max(taken, 0);
            }
        }
    }

    void release(int places) {
        free.addAndGet(places);
    }

    /** Whether the outbox may hold due events for which there was no slot. */
    boolean mayHaveMore() {
        return mayHaveMore;
    }

    void mayHaveMore(boolean now) {
        mayHaveMore = now;
    }

    /**
     * Runs it in a slot that was taken, and releases the slot, also when no thread can be started for it.
     *
     * @return false when this is closed, and it will not run
     */
    boolean run(Runnable attempt) {
        WorkerTask task = new WorkerTask(attempt);
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            task.release();
            return false;
        } catch (Throwable noThread) {
            threads.remove(task);
            task.release();
            throw noThread;
        }
    }

    private final class WorkerTask implements Runnable {
        private final Runnable attempt;
        private final AtomicBoolean isReleased = new AtomicBoolean();

        WorkerTask(Runnable attempt) {
            this.attempt = attempt;
        }

        @Override
        public void run() {
            try {
                attempt.run();
            } finally {
                release();
            }
        }

        void release() {
            if (isReleased.compareAndSet(false, true)) {
                EndpointWorker.this.release(1);
            }
        }
    }

    /** Lets running attempts end, for at most that long, and runs nothing more; false when some still ran then. */
    boolean close(long nanos) throws InterruptedException {
        List<Runnable> queued = new ArrayList<>();
        threads.shutdown(); // and not at once: that would interrupt the attempts that are to end
        threads.getQueue().drainTo(queued);
        queued.forEach(Runnable::run); // they find the dispatcher closing, and give their claims back
        return threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    }
}
