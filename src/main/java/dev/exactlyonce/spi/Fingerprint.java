package dev.exactlyonce.spi;

import dev.exactlyonce.common.Digests;

/**
 * Distinguishes deliveries with the same key: the SHA-256 of the body, or {@link #NONE} where the source does not compare
 * bodies. {@code NONE} contradicts no other fingerprint.
 *
 * <pre>{@code
 * boolean isOtherBody = Fingerprint.ofBody(body).contradicts(recorded);
 * }</pre>
 *
 * @since 0.1.0
 */
public record Fingerprint(String value) {
    public static final Fingerprint NONE = new Fingerprint("-");

    public static Fingerprint ofBody(byte[] body) {
        return new Fingerprint(Digests.sha256Hex(body));
    }

    public boolean contradicts(Fingerprint other) {
        return !equals(NONE) && !other.equals(NONE) && !equals(other);
    }
}
