package dev.exactlyonce.admission;

import java.util.Optional;

/**
 * Whether a delivery comes from its source.
 *
 * @param fault why not, in words that hold nothing of the request or a secret; empty when it does
 * @param signed what the signature proves; empty where there is none
 */
public record Verification(Optional<String> fault, Optional<Signed> signed) {
    /** For a source whose deliveries are not signed, or not as a whole: who sends is known, what is sent is not. */
    public static final Verification VALID = new Verification(Optional.empty(), Optional.empty());

    /**
     * Identifies a delivery by its verified signature.
     *
     * @param signature the MAC that matched, in lower-case hexadecimal; of a signature with a public key, of which a sender may
     *     make many of one content, the SHA-256 of the signed content
     * @param body the SHA-256, in lower-case hexadecimal, of what is signed in place of the body's bytes: fields that were
     *     decoded and sorted; empty where the bytes themselves are
     */
    public record Signed(String signature, Optional<String> body) {}

    public static Verification refused(String fault) {
        return new Verification(Optional.of(fault), Optional.empty());
    }

    public static Verification signed(String signature) {
        return new Verification(Optional.empty(), Optional.of(new Signed(signature, Optional.empty())));
    }

    public static Verification signed(String signature, String body) {
        return new Verification(Optional.empty(), Optional.of(new Signed(signature, Optional.of(body))));
    }

    public boolean isValid() {
        return fault.isEmpty();
    }
}
