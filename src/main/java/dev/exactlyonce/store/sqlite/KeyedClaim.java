package dev.exactlyonce.store.sqlite;

import dev.exactlyonce.admission.Claim;
import dev.exactlyonce.admission.Digests;
import dev.exactlyonce.admission.StoredValue;
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
        byte[] digest = Digests.sha256(claim.key().value());
        return new KeyedClaim(
                claim,
                Arrays.copyOf(digest, DIGEST_BYTES),
                StoredValue.inFlight(claim).encode());
    }

    String key() {
        return claim.key().value();
    }

    long leaseMillis() {
        return claim.lease().toMillis();
    }
}
