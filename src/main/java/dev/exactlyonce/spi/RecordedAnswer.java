package dev.exactlyonce.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a record keeps of the handler's end: its status and, where duplicates are to be answered with it, the answer
 * itself. A record without one is a tombstone: the work is done, and what was said is not known any more.
 *
 * @param status the handler's status, 100 to 599
 * @param content the answer as whoever replays it has written it, opaque here and in every store; printable ASCII, and
 *     empty for a tombstone
 */
public record RecordedAnswer(int status, String content) {
    public RecordedAnswer {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("status must be 100 to 599, was " + status);
        }
        if (!isContent(content)) {
            throw new IllegalArgumentException("content must be printable ASCII without blanks");
        }
    }

    /** A tombstone. */
    public static RecordedAnswer of(int status) {
        return new RecordedAnswer(status, "");
    }

    /** What a store holds; content that nobody can have written leaves a tombstone: the work is done all the same. */
    static RecordedAnswer read(int status, @Nullable String content) {
        return content != null && isContent(content) ? new RecordedAnswer(status, content) : of(status);
    }

    private static boolean isContent(String text) {
        return text.chars().allMatch(it -> it > ' ' && it <= '~');
    }

    public boolean isTombstone() {
        return content.isEmpty();
    }

    /** The content belongs to whoever sent the delivery, and to no log. */
    @Override
    public String toString() {
        return isTombstone() ? Integer.toString(status) : status + " and " + content.length() + " characters";
    }
}
