package dev.exactlyonce.spi;

import dev.exactlyonce.common.Digests;

/**
 * What tells two deliveries under one key apart: the SHA-256 of the body, or nothing where the source does not ask for
 * it. Nothing never contradicts anything.
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
