package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.EventQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes attempts' results to the outbox, in batches, on a thread of its own, so that the attempts' threads go on. A result
 * that could not be written is kept and retried; if that lasts, its claim's lease ends, and another owner attempts the event
 * again, under the same key.
 */
final class ResultWriter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ResultWriter.class.getName());
    private static final int MOST_TOGETHER = 256;

    private final EventQueue events;
    private final Consumer<AttemptResult> written;
    private final Duration pause;
    private final Queue<AttemptResult> pending = new ConcurrentLinkedQueue<>();

    /** Released for every new result, and at the close. */
    private final Semaphore changes = new Semaphore(0);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new DaemonThreads("exactly-once-sender-results").newThread(this::run);
    private volatile boolean closing;

    // of the writing thread alone
    private final List<AttemptResult> batch = new ArrayList<>(MOST_TOGETHER);
    private int most = MOST_TOGETHER;
    private boolean isReported;
    private boolean isGivenUp;

    /**
     * @param written called for each result that was written
     * @param pause after a failure
     */
    ResultWriter(EventQueue events, Consumer<AttemptResult> written, Duration pause) {
        this.events = events;
        this.written = written;
        this.pause = pause;
        thread.start();
    }

    void add(AttemptResult result) {
        pending.add(result);
        changes.release();
    }

    private void run() {
        while (!isDone()) {
            try {
                writeSome();
            } catch (InterruptedException stop) {
                closing = true;
            } catch (Throwable failure) { // of any kind: pending results must not be lost with this thread
                putBack(failure);
            }
        }
    }

    private boolean isDone() {
        return closing && (isGivenUp || (batch.isEmpty() && pending.isEmpty()));
    }

    private void writeSome() throws InterruptedException {
        if (batch.isEmpty()) {
            takeBatch();
        }
        if (batch.isEmpty()) {
            return;
        }
        List<Boolean> taken = events.settle(batch);
        for (int i = 0; i < batch.size(); i++) {
            report(batch.get(i), taken.get(i));
        }
        batch.clear();
        most = Math.min(MOST_TOGETHER, 2 * most);
        isReported = isReported && !pending.isEmpty();
    }

    private void takeBatch() throws InterruptedException {
        if (pending.isEmpty() && !closing) {
            changes.acquire();
        }
        changes.drainPermits(); // before the queue is read, so that what comes later wakes this thread again
        AttemptResult next = pending.poll();
        while (next != null) {
            batch.add(next);
            next = batch.size() < most ? pending.poll() : null;
        }
    }

    /** Behind the others, and in smaller batches, until a result that can never be written delays no other. */
    private void putBack(Throwable failure) {
        try {
            most = Math.max(1, batch.size() / 2);
            while (!batch.isEmpty()) {
                pending.add(batch.get(batch.size() - 1));
                batch.remove(batch.size() - 1);
            }
            if (!isReported) {
                LOG.log(
                        Level.WARNING,
                        "EXON0702 delivery results could not be written to the outbox; retrying",
                        failure);
                isReported = true;
            }
            if (closing) {
                isGivenUp = true;
                LOG.log(
                        Level.WARNING,
                        "EXON0703 {0} delivery results could not be written at shutdown; their events are sent again",
                        String.valueOf(pending.size()));
                return;
            }
            var unused = closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            closing = true;
        } catch (Throwable another) { // what could not be put back is still in the batch, and is written first
            SafeLog.log(LOG, Level.ERROR, "EXON0711 the writer of delivery results failed; it goes on", another);
            isGivenUp = closing;
        }
    }

    /** The result is written: what a listener throws must not have it written again. */
    private void report(AttemptResult result, boolean isTaken) {
        try {
            if (isTaken) {
                written.accept(result);
            } else {
                LOG.log(
                        Level.WARNING,
                        "EXON0704 {0}: its claim was lost in the meantime; the new owner decides",
                        result.event());
            }
        } catch (Throwable fault) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0712 " + result.event() + ": its result is written, and could not be reported",
                    fault);
        }
    }

    @Override
    public void close() {
        closing = true;
        closed.countDown();
        changes.release();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
