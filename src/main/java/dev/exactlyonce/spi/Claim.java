package dev.exactlyonce.spi;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/**
 * The exclusive right to process a key, held until the lease ends.
 *
 * <pre>{@code
 * Claim claim = Claim.fresh(key, Fingerprint.NONE, Duration.ofMinutes(15));
 * }</pre>
 *
 * @param owner the owner token, fresh for every claim: two claims never share one, not even on one replica
 * @param lease how long the claim holds, from the moment the store grants it
 * @since 0.1.0
 */
public record Claim(DeliveryKey key, String owner, Fingerprint fingerprint, Duration lease) {
    private static final SecureRandom RANDOM = new SecureRandom();

    public Claim {
        if (lease.isZero() || lease.isNegative()) {
            throw new IllegalArgumentException("lease must be > 0, was " + lease);
        }
        if (owner.isEmpty() || owner.indexOf('|') >= 0) {
            throw new IllegalArgumentException("an owner token is not empty and has no '|'");
        }
    }

    /** A claim with a fresh owner token of 128 random bits. */
    public static Claim fresh(DeliveryKey key, Fingerprint fingerprint, Duration lease) {
        byte[] token = new byte[16];
        RANDOM.nextBytes(token);
        return new Claim(key, HexFormat.of().formatHex(token), fingerprint, lease);
    }
}
