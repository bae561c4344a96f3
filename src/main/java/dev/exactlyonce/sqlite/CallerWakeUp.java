package dev.exactlyonce.sqlite;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The callers of one commit, who wake each other: the writer wakes two, and each caller that is awake wakes more until all are. So
 * the writer is soon back at the next commit, which everybody waits behind. Thread-safe.
 *
 * <p>A caller may find its answer before it is woken, and be gone before the others have theirs. It says that it is gone,
 * then asks whether the waking has begun; the writer says that it has begun, then asks who is gone. So one of them sees the
 * other: the caller wakes others, or the writer does not count on it.
 */
final class CallerWakeUp {
    /** By the writer; the second is there in case the first does not get a processor at once. */
    private static final int FIRST = 2;

    private final List<? extends PendingOperation<?, ?>> calls;
    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean begun;

    /** @param calls not changed any more */
    CallerWakeUp(List<? extends PendingOperation<?, ?>> calls) {
        this.calls = calls;
    }

    /** By the writer, after every call has ended. */
    void begin() {
        begun = true;
        wake(FIRST);
    }

    /** By each caller that waits no more. */
    void goOn() {
        if (begun) {
            wake(Integer.MAX_VALUE);
        }
    }

    /** Wakes the next ones, until this many of them were still there. */
    private void wake(int most) {
        int awake = 0;
        while (awake < most) {
            int i = next.getAndIncrement();
            if (i >= calls.size()) {
                return;
            }
            if (calls.get(i).wake()) {
                awake++;
            }
        }
    }
}
