package dev.exactlyonce.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a record keeps of the handler's response: its status and, where duplicates are answered with it, the answer itself.
 * A record without an answer is a tombstone: the work is done, and the answer is not known any more.
 *
 * <pre>{@code
 * RecordedAnswer done = RecordedAnswer.of(204);
 * }</pre>
 *
 * @param status the handler's status, 100 to 599
 * @param content the encoded answer, opaque to every store; printable ASCII, and empty for a tombstone
 * @since 0.1.0
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

    /** What a store holds. Content that cannot have been written here becomes a tombstone: the work is done all the same. */
    static RecordedAnswer read(int status, @Nullable String content) {
        return content != null && isContent(content) ? new RecordedAnswer(status, content) : of(status);
    }

    private static boolean isContent(String text) {
        return text.chars().allMatch(it -> it > ' ' && it <= '~');
    }

    public boolean isTombstone() {
        return content.isEmpty();
    }

    /** Without the content, which must not be logged. */
    @Override
    public String toString() {
        return isTombstone() ? Integer.toString(status) : status + " and " + content.length() + " characters";
    }
}
