package dev.exactlyonce.sqlite;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The callers of one commit, who wake each other: the writer wakes two, and whoever is awake wakes more until all are. So
 * the writer is soon back at the next commit, which everybody waits behind. Thread-safe.
 */
final class Waking {
    /** By the writer; the second is there in case the first does not get a processor at once. */
    private static final int FIRST = 2;

    private final List<? extends Call<?, ?>> calls;
    private final AtomicInteger next = new AtomicInteger();

    /** @param calls not changed any more */
    Waking(List<? extends Call<?, ?>> calls) {
        this.calls = calls;
    }

    /** By the writer, after every call has ended. One that was given up wakes nobody, and does not count. */
    void begin() {
        int awake = 0;
        int i = next.getAndIncrement();
        while (i < calls.size()) {
            if (calls.get(i).wake()) {
                awake++;
            }
            if (awake == FIRST) {
                return;
            }
            i = next.getAndIncrement();
        }
    }

    /** By each caller that has its answer. */
    void goOn() {
        int i = next.getAndIncrement();
        while (i < calls.size()) {
            calls.get(i).wake();
            i = next.getAndIncrement();
        }
    }
}
