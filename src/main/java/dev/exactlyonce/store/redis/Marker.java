package dev.exactlyonce.store.redis;

import org.jspecify.annotations.Nullable;

/**
 * A key of this process's own in one master, whose value is counted up again and again. Where INFO is not permitted, it shows
 * a restart or failover that lost keys: what this process had written there is gone, or older. Thread-safe.
 */
final class Marker {
    /**
     * One write of the marker.
     *
     * @param number what is written
     * @param confirmed the last number that Redis had confirmed before
     */
    record Write(long number, long confirmed) {}

    private final String key;
    private long last;
    private long confirmed;
    private boolean waiting;

    Marker(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** The next write; null while the last one waits for its answer. */
    synchronized @Nullable Write next() {
        if (waiting) {
            return null;
        }
        waiting = true;
        last++;
        return new Write(last, confirmed);
    }

    /** It may have been applied or not. */
    synchronized void failed() {
        waiting = false;
    }

    /**
     * @param before the value before the write
     * @return whether Redis has lost keys: writes are never older than the last one that it confirmed
     */
    synchronized boolean written(Write write, @Nullable Object before) {
        waiting = false;
        confirmed = write.number();
        return write.confirmed() > 0 && number(before) < write.confirmed();
    }

    private static long number(@Nullable Object value) {
        try {
            return value == null ? 0 : Long.parseLong(value.toString());
        } catch (NumberFormatException overwritten) {
            return 0;
        }
    }
}
