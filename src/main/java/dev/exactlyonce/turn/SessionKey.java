package dev.exactlyonce.turn;

import dev.exactlyonce.common.Digests;
import java.nio.charset.StandardCharsets;

/**
 * A session's name as backends hold it: printable ASCII characters as they are, all others, <code>%</code>, <code>{</code> and
 * <code>}</code> as {@code %HH}; over 200 characters {@code sha256-<hex>}. Two sessions never have the same name.
 *
 * @param value for the backend
 * @param session as it was given
 */
public record SessionKey(String value, String session) {
    private static final int MAX_LENGTH = 200;
    private static final String DIGEST_PREFIX = "sha256-";
    private static final String ESCAPED = "%{}";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /** @throws IllegalArgumentException when the session is empty */
    public static SessionKey of(String session) {
        if (session.isEmpty()) {
            throw new IllegalArgumentException("a session needs at least one character");
        }
        StringBuilder name = new StringBuilder(session.length());
        for (byte b : session.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c > ' ' && c <= '~' && ESCAPED.indexOf(c) < 0) {
                name.append(c);
            } else {
                name.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
            }
        }
        boolean isHashed = name.length() > MAX_LENGTH || session.startsWith(DIGEST_PREFIX);
        return new SessionKey(isHashed ? DIGEST_PREFIX + Digests.sha256Hex(session) : name.toString(), session);
    }

    /** The first 16 hex digits of the session's SHA-256: what logs show. */
    @Override
    public String toString() {
        return Digests.sha256Hex(session).substring(0, 16);
    }
}
