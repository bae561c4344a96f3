package dev.exactlyonce.sender.dispatch;

import java.util.Arrays;

/** Counts what happened in the last so many seconds. Not thread-safe. */
final class SlidingWindowCounter {
    private final int[] counts;
    private long latest;
    private int sum;

    SlidingWindowCounter(int seconds) {
        this.counts = new int[seconds];
    }

    /** Counts one more, and returns how many there are. */
    int add(long second) {
        forget(second);
        counts[slot(second)]++;
        return ++sum;
    }

    private void forget(long second) {
        if (second - latest >= counts.length) {
            clear();
            latest = second;
        }
        while (latest < second) {
            latest++;
            sum -= counts[slot(latest)];
            counts[slot(latest)] = 0;
        }
    }

    private int slot(long second) {
        return (int) Math.floorMod(second, (long) counts.length);
    }

    void clear() {
        Arrays.fill(counts, 0);
        sum = 0;
    }
}
