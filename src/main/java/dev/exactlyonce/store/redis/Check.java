package dev.exactlyonce.store.redis;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.StoredValue;
import java.time.Duration;

/**
 * One owner-checked operation on one key.
 *
 * @param own the value that stands for the claim
 * @param ownRecord how the claim's record begins, whatever its status
 * @param millis how long what is written stays
 * @param record what {@link Script#RECORD} writes
 */
record Check(Script script, String key, String own, String ownRecord, long millis, String record) {
    private static final int STATUS_DIGITS = 3;
    private static final int ANY_STATUS = 200;

    static Check of(Script script, String key, Claim claim) {
        return of(script, key, claim, ANY_STATUS, claim.lease());
    }

    static Check of(Script script, String key, Claim claim, int status, Duration lasts) {
        String record = StoredValue.recorded(claim, status).encode();
        return new Check(
                script,
                key,
                StoredValue.inFlight(claim).encode(),
                record.substring(0, record.length() - STATUS_DIGITS),
                millis(lasts),
                record);
    }

    /** Redis has no shorter time than a millisecond, and refuses zero. */
    static long millis(Duration lasts) {
        return Math.max(1, lasts.toMillis());
    }

    /** What EVALSHA and EVAL take. */
    Object[] arguments(String shaOrText) {
        return new Object[] {shaOrText, 1, key, own, ownRecord, millis, record};
    }

    boolean isOwnRecord(String value) {
        return value.startsWith(ownRecord);
    }
}
