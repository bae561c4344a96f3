package dev.exactlyonce.sender.redis;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.spi.LocalDeadLetters;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Moves the dead letters of the outbox to Redis, on a thread of its own: nothing that sends waits for Redis. An entry is in
 * Redis before the outbox forgets it; a failure in between leaves it in the outbox, and it is moved again.
 */
final class DeadLetterTransfer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeadLetterTransfer.class.getName());
    private static final int PAGE = 8;

    /** Other processes may put dead letters into the same outbox. */
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    private final LocalDeadLetters outbox;
    private final DeadLetterStream stream;
    private final Semaphore wanted = new Semaphore(0);
    private final Semaphore end = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "exactly-once-dead-letters");
    private volatile boolean closing;

    DeadLetterTransfer(LocalDeadLetters outbox, DeadLetterStream stream) {
        this.outbox = outbox;
        this.stream = stream;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void wake() {
        wanted.release();
    }

    private void run() {
        boolean isReported = false;
        try {
            while (!closing) {
                wanted.drainPermits();
                if (hasMoved(isReported)) {
                    isReported = false;
                    pause(wanted, LOOKS_EVERY);
                } else {
                    isReported = true;
                    pause(end, PAUSE);
                }
            }
        } catch (InterruptedException stop) {
            LOG.log(Level.DEBUG, "interrupted");
        }
    }

    private static void pause(Semaphore until, Duration atMost) throws InterruptedException {
        var unused = until.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean hasMoved(boolean isReported) {
        try {
            moveAll();
            if (isReported) {
                LOG.log(Level.INFO, "EXON0721 the dead letters that waited in the outbox have been moved to Redis");
            }
            return true;
        } catch (RuntimeException | Error failure) { // of any kind: the next ones must be moved
            if (!isReported) {
                LOG.log(
                        Level.WARNING,
                        "EXON0720 dead letters could not be moved to Redis; they stay in the outbox; retrying",
                        failure);
            }
            return false;
        }
    }

    private void moveAll() {
        DeadLetters.Filter page = DeadLetters.Filter.ALL.limit(PAGE);
        while (true) {
            List<DeadLetter> letters = outbox.list(page);
            if (!letters.isEmpty()) {
                stream.probe(); // a suspended Redis would apply every queued add once it resumes
            }
            for (DeadLetter letter : letters) {
                if (closing) {
                    return;
                }
                move(letter);
            }
            if (letters.size() < PAGE) {
                return;
            }
            page = page.after(letters.get(letters.size() - 1).id());
        }
    }

    private void move(DeadLetter letter) {
        String id = stream.add(letter);
        if (!outbox.moved(letter)) { // it was replayed or discarded meanwhile
            stream.remove(id);
        }
    }

    @Override
    public void close() {
        closing = true;
        wanted.release();
        end.release();
        try {
            thread.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
