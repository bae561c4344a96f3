package dev.exactlyonce.store.redis;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.StoredValue;
import java.time.Duration;

/**
 * One owner-checked operation on one key.
 *
 * @param own the value of the claim
 * @param ownRecord how the claim's record begins, whatever its status and answer; empty for a script that does not ask
 * @param millis how long what is written stays
 * @param record what {@link Script#RECORD} writes; empty for any other
 * @param fenceKey where {@link Script#RESERVE} keeps the last fencing token; empty for any other
 */
record OwnerCheck(
        Script script, String key, String own, String ownRecord, long millis, String record, String fenceKey) {
    OwnerCheck(Script script, String key, String own, String ownRecord, long millis, String record) {
        this(script, key, own, ownRecord, millis, record, "");
    }

    /** No value is empty, so that any value is another owner's. */
    private static final String NO_OWNER = "";

    static OwnerCheck look(String key) {
        return new OwnerCheck(Script.LOOK, key, NO_OWNER, "", 0, "");
    }

    /** The same with no key but the first. */
    OwnerCheck withoutFenceKey() {
        return new OwnerCheck(script, key, own, ownRecord, millis, record, "");
    }

    static OwnerCheck reserving(String key, String fenceKey, Claim claim) {
        return new OwnerCheck(Script.RESERVE, key, own(claim), "", millis(claim.lease()), "", fenceKey);
    }

    static OwnerCheck recording(String key, Claim claim, RecordedAnswer answer, Duration ttl) {
        String record = StoredValue.recorded(claim, answer).encode();
        return new OwnerCheck(Script.RECORD, key, own(claim), StoredValue.startOfRecord(claim), millis(ttl), record);
    }

    static OwnerCheck releasing(String key, Claim claim) {
        return new OwnerCheck(Script.RELEASE, key, own(claim), "", 0, "");
    }

    static OwnerCheck renewing(String key, Claim claim) {
        return new OwnerCheck(
                Script.RENEW, key, own(claim), StoredValue.startOfRecord(claim), millis(claim.lease()), "");
    }

    private static String own(Claim claim) {
        return StoredValue.inFlight(claim).encode();
    }

    /** Redis has no shorter time than a millisecond, and refuses zero. */
    private static long millis(Duration lasts) {
        return Math.max(1, lasts.toMillis());
    }

    /** What EVALSHA and EVAL take. */
    Object[] arguments(String shaOrText) {
        return !fenceKey.isEmpty()
                ? new Object[] {shaOrText, 2, key, fenceKey, own, ownRecord, millis, record}
                : new Object[] {shaOrText, 1, key, own, ownRecord, millis, record};
    }

    boolean isOwnRecord(String value) {
        return value.startsWith(ownRecord);
    }
}
