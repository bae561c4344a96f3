package dev.exactlyonce.sender;

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
final class Settler implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Settler.class.getName());
    private static final int MOST_TOGETHER = 256;
    private static final long PAUSE_MILLIS = 500;

    private final Outbox outbox;
    private final Consumer<Settlement> written;
    private final LinkedBlockingQueue<Settlement> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::settle, "exactly-once-sender-settler");
    private volatile boolean closing;

    /** @param written hears of each that was taken down */
    Settler(Outbox outbox, Consumer<Settlement> written) {
        this.outbox = outbox;
        this.written = written;
        thread.setDaemon(true);
        thread.start();
    }

    void add(Settlement settlement) {
        waiting.add(settlement);
    }

    private void settle() {
        List<Settlement> together = new ArrayList<>(MOST_TOGETHER);
        int most = MOST_TOGETHER;
        boolean isTold = false;
        while (!closing || !waiting.isEmpty()) {
            try {
                Settlement first = waiting.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                if (first == null) {
                    continue;
                }
                together.add(first);
                waiting.drainTo(together, most - 1);
                tell(together, outbox.settle(together));
                most = Math.min(MOST_TOGETHER, 2 * most);
                isTold = isTold && !waiting.isEmpty();
            } catch (InterruptedException stop) {
                closing = true;
            } catch (RuntimeException
                    | Error trouble) { // whatever it is: what is owed must not be lost with this thread
                waiting.addAll(together);
                most = Math.max(1, together.size() / 2); // until one that can never be taken stands in nobody's way
                if (!isTold) {
                    LOG.log(
                            Level.WARNING,
                            "EXON0702 the outbox does not take what attempts came to; tried again",
                            trouble);
                    isTold = true;
                }
                if (closing) {
                    LOG.log(
                            Level.WARNING,
                            "EXON0703 {0} attempts end untold; their events are sent again",
                            String.valueOf(waiting.size()));
                    return;
                }
                pause();
            } finally {
                together.clear();
            }
        }
    }

    private void tell(List<Settlement> together, List<Boolean> taken) {
        for (int i = 0; i < together.size(); i++) {
            if (taken.get(i)) {
                written.accept(together.get(i));
            } else {
                LOG.log(
                        Level.WARNING,
                        "EXON0704 {0}: its claim was lost meanwhile; another owner decides",
                        together.get(i).event());
            }
        }
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stop) {
            closing = true;
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
