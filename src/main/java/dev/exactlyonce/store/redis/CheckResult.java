package dev.exactlyonce.store.redis;

import dev.exactlyonce.spi.StoredValue;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an owner-checked operation found and did.
 *
 * @param done whether it did its work, now or since an earlier attempt
 * @param other the value of another owner; null when there is none
 * @param ttlMillis how long that value stays, as PTTL replies
 * @param fence of {@link Script#RESERVE} when it is done; else 0
 */
record CheckResult(boolean done, @Nullable StoredValue other, long ttlMillis, long fence) {
    static final CheckResult DONE = new CheckResult(true, null, 0, 0);
    static final CheckResult NOTHING = new CheckResult(false, null, 0, 0);

    private static final long NO_END = -1;

    static CheckResult other(String value, long ttlMillis) {
        return new CheckResult(false, StoredValue.decode(value), ttlMillis, 0);
    }

    /** A claim that was granted with this fencing token. */
    static CheckResult granted(long fence) {
        return new CheckResult(true, null, 0, fence);
    }

    /** Reads a script's answer. */
    static CheckResult of(@Nullable Object answer) {
        if (answer instanceof List<?> there) {
            return other((String) there.get(0), (Long) there.get(1));
        }
        if (answer instanceof Long number && number > 1) { // a fencing token, as a time in microseconds at least
            return granted(number);
        }
        return Long.valueOf(1).equals(answer) ? DONE : NOTHING;
    }

    /** What is left of the other one's lease; as much as the own one where it has no end, which nothing of ours lacks. */
    Duration left(Duration lease) {
        return ttlMillis == NO_END ? lease : Duration.ofMillis(Math.max(1, ttlMillis));
    }
}
