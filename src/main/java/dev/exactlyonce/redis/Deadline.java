package dev.exactlyonce.redis;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Until when a caller waits. All steps of one operation share it. */
public final class Deadline {
    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    public boolean isOver() {
        return end - System.nanoTime() <= 0;
    }

    /** At least 1: Redis takes zero for no limit. */
    public long leftMillis() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
    }

    /** Waits uninterruptibly: a record must not be lost to a handler's timeout. */
    public <T> T await(Future<T> future) throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (CancellationException e) {
                    throw new ExecutionException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
