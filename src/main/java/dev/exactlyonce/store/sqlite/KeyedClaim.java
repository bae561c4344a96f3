package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.common.Digests;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.StoredValue;
import java.util.Arrays;

/**
 * A claim with what its caller's thread can prepare, so that the one writer need not.
 *
 * @param digest the first 128 bits of the key's SHA-256: what the file is searched by, since a short index of one length
 *     is written and read faster than the keys themselves
 * @param inFlight the value that stands for the claim
 */
@SuppressWarnings("ArrayRecordComponent") // passed on within one operation, never compared
record KeyedClaim(Claim claim, byte[] digest, String inFlight) {
    private static final int DIGEST_BYTES = 16;

    static KeyedClaim of(Claim claim) {
        return new KeyedClaim(
                claim, digest(claim.key()), StoredValue.inFlight(claim).encode());
    }

    static byte[] digest(DeliveryKey key) {
        return Arrays.copyOf(Digests.sha256(key.value()), DIGEST_BYTES);
    }

    String key() {
        return claim.key().value();
    }

    long leaseMillis() {
        return claim.lease().toMillis();
    }
}
