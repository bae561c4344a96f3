package dev.exactlyonce.spi;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holds the answers of records that a store keeps in memory, up to a total size: records are small and many, answers can be
 * large. When it is full the oldest answers are dropped, and their records become tombstones. Thread-safe.
 *
 * <pre>{@code
 * answers.put(claim, answer);                                    // with the record
 * RecordedAnswer kept = answers.find(claim.owner(), 200);        // the answer, or a tombstone with this status
 * }</pre>
 *
 * @since 0.1.0
 */
public final class AnswerCache {
    /** What each user of this class holds by default, in bytes. */
    public static final long DEFAULT_SIZE = 16 << 20;

    /** What an entry takes beside its content: the map's node and two texts. */
    private static final int OVERHEAD = 200;

    private final Map<String, String> byOwner = new LinkedHashMap<>();
    private final long most;
    private long size;

    /** @param most in bytes */
    public AnswerCache(long most) {
        this.most = most;
    }

    /** Holds the claim's answer, if it has one. */
    public void put(Claim claim, RecordedAnswer answer) {
        if (!answer.isTombstone() && sizeOf(answer.content()) <= most) {
            put(claim, answer.content());
        }
    }

    private synchronized void put(Claim claim, String content) {
        remove(claim);
        byOwner.put(claim.owner(), content);
        size += sizeOf(content);
        for (Iterator<String> oldest = byOwner.values().iterator(); size > most; oldest.remove()) {
            size -= sizeOf(oldest.next());
        }
    }

    public synchronized void remove(Claim claim) {
        String content = byOwner.remove(claim.owner());
        if (content != null) {
            size -= sizeOf(content);
        }
    }

    /** The answer of the record with this owner token, or a tombstone with its status. */
    public synchronized RecordedAnswer find(String owner, int status) {
        return new RecordedAnswer(status, byOwner.getOrDefault(owner, ""));
    }

    private static long sizeOf(String content) {
        return (long) OVERHEAD + content.length();
    }
}
