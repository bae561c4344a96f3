package dev.exactlyonce.spi;

import dev.exactlyonce.common.Digests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency key: {@code <source>:<endpoint>:<part>:<part>…}, each piece escaped, so that two different lists of
 * parts never make the same key. Immutable; {@link #toString()} is the digest that may be logged.
 *
 * <pre>{@code
 * DeliveryKey key = DeliveryKey.of("github", "POST /hooks", List.of("72d3162e"));
 * row.setString(1, key.value());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class DeliveryKey {
    /** The longest raw part, in characters. */
    public static final int MAX_PART = 1024;

    private static final int MAX_KEY = 200;
    private static final String DIGEST_PREFIX = "sha256-";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private final String value;

    private DeliveryKey(String value) {
        this.value = value;
    }

    /**
     * @param endpoint HTTP method, base path and path templates; of work that is no request, the source's name
     * @param parts at least one, none of which {@link #fault} finds anything wrong with
     * @throws IllegalArgumentException when a part is not allowed; the message never holds the part
     */
    public static DeliveryKey of(String source, String endpoint, List<String> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("an idempotency key needs at least one part");
        }
        StringBuilder key = new StringBuilder(MAX_KEY);
        escape(source, key);
        key.append(':');
        escape(endpoint, key);
        key.append(':');
        int start = key.length();
        boolean digest = false;
        for (String part : parts) {
            String fault = fault(part);
            if (fault != null) {
                throw new IllegalArgumentException("a part of the idempotency key " + fault);
            }
            digest |= part.startsWith(DIGEST_PREFIX);
            key.append(key.length() == start ? "" : ":");
            escape(part, key);
        }
        if (digest || key.length() > MAX_KEY) {
            String joined = key.substring(start);
            key.setLength(start);
            key.append(DIGEST_PREFIX).append(Digests.sha256Hex(joined));
        }
        return new DeliveryKey(key.toString());
    }

    /** What is wrong with a raw part, worded to follow "the key …"; null when nothing is. */
    public static @Nullable String fault(String part) {
        if (part.isBlank()) {
            return "is blank";
        }
        if (part.length() > MAX_PART) {
            return "is longer than " + MAX_PART + " characters";
        }
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (Character.isISOControl(c)) {
                return "has a control character";
            }
            if (Character.isHighSurrogate(c) && i + 1 < part.length() && Character.isLowSurrogate(part.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return "is not valid Unicode";
            }
        }
        return null;
    }

    private static void escape(String raw, StringBuilder out) {
        for (byte b : raw.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~/".indexOf(c) >= 0) {
                out.append(c);
            } else {
                out.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
            }
        }
    }

    /** The key as the store holds it. */
    public String value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeliveryKey key && value.equals(key.value);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(value);
    }

    /** The first 16 hex digits of the key's SHA-256: what logs show. */
    @Override
    public String toString() {
        return Digests.sha256Hex(value).substring(0, 16);
    }
}
