package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.common.DaemonThreads;
import dev.exactlyonce.common.SafeLog;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.Outbox;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes settlements down, together, on a thread of its own, so that an attempt's thread goes on. One that the outbox does
 * not take is owed and tried again; if that lasts, another owner finds the claim's lease ended and sends the event again,
 * under the same key.
 */
final class ResultWriter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ResultWriter.class.getName());
    private static final int MOST_TOGETHER = 256;
    private static final long PAUSE_MILLIS = 500;

    private final Outbox outbox;
    private final Consumer<AttemptResult> written;
    private final LinkedBlockingQueue<AttemptResult> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new DaemonThreads("exactly-once-sender-settler").newThread(this::settle);
    private volatile boolean closing;

    // of the settling thread alone
    private final List<AttemptResult> together = new ArrayList<>(MOST_TOGETHER);
    private int most = MOST_TOGETHER;
    private boolean isTold;
    private boolean isGivenUp;

    /** @param written hears of each that was taken down */
    ResultWriter(Outbox outbox, Consumer<AttemptResult> written) {
        this.outbox = outbox;
        this.written = written;
        thread.start();
    }

    void add(AttemptResult settlement) {
        waiting.add(settlement);
    }

    private void settle() {
        while (!isDone()) {
            try {
                settleSome();
            } catch (InterruptedException stop) {
                closing = true;
            } catch (Throwable trouble) { // whatever it is: what is pending must not be lost with this thread
                putBack(trouble);
            }
        }
    }

    private boolean isDone() {
        return closing && (isGivenUp || (together.isEmpty() && waiting.isEmpty()));
    }

    private void settleSome() throws InterruptedException {
        if (together.isEmpty()) {
            AttemptResult first = waiting.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            if (first == null) {
                return;
            }
            together.add(first);
            waiting.drainTo(together, most - 1);
        }
        List<Boolean> taken = outbox.settle(together);
        for (int i = 0; i < together.size(); i++) {
            tell(together.get(i), taken.get(i));
        }
        together.clear();
        most = Math.min(MOST_TOGETHER, 2 * most);
        isTold = isTold && !waiting.isEmpty();
    }

    /** Behind the others, and in smaller numbers, until one that can never be taken stands in nobody's way. */
    private void putBack(Throwable trouble) {
        try {
            most = Math.max(1, together.size() / 2);
            while (!together.isEmpty()) {
                waiting.add(together.get(together.size() - 1));
                together.remove(together.size() - 1);
            }
            if (!isTold) {
                LOG.log(Level.WARNING, "EXON0702 the outbox does not take what attempts came to; tried again", trouble);
                isTold = true;
            }
            if (closing) {
                isGivenUp = true;
                LOG.log(
                        Level.WARNING,
                        "EXON0703 {0} attempts end untold; their events are sent again",
                        String.valueOf(waiting.size()));
                return;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stop) {
            closing = true;
        } catch (Throwable another) { // what could not be put back is still in hand, and is tried first
            SafeLog.log(LOG, Level.ERROR, "EXON0711 the writing of outcomes failed; it goes on", another);
            isGivenUp = closing;
        }
    }

    /** It is written: what whoever hears of it throws must not have it written again. */
    private void tell(AttemptResult settlement, boolean isTaken) {
        try {
            if (isTaken) {
                written.accept(settlement);
            } else {
                LOG.log(
                        Level.WARNING,
                        "EXON0704 {0}: its claim was lost meanwhile; another owner decides",
                        settlement.event());
            }
        } catch (Throwable fault) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0712 " + settlement.event() + ": its outcome is written, and could not be told",
                    fault);
        }
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
