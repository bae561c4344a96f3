package dev.exactlyonce.spi;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answers of records that are kept in memory, up to a total size: a record is small and there are many, an answer may
 * be large. The oldest give way, and their records are tombstones from then on. Thread-safe.
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
