package dev.exactlyonce.signature;

/**
 * How the text of a secret becomes a key.
 *
 * @param leastBytes how many bytes a shared secret must have once it is decoded; at least 1
 */
public record SecretRules(Algorithm algorithm, SecretEncoding encoding, int leastBytes) {
    private static final int BYTE_ORDER_MARK = 0xfeff;

    public SecretRules {
        if (leastBytes < 1) {
            throw new IllegalArgumentException("a secret has at least 1 byte, was " + leastBytes);
        }
    }

    /**
     * @throws IllegalArgumentException that names the fault and shows nothing of the secret
     */
    VerifyingKey key(String secret) {
        refuseSlips(secret);
        if (algorithm.isShared()
                && (encoding == SecretEncoding.WHPK || secret.startsWith(SecretEncoding.WHPK_PREFIX))) {
            throw new IllegalArgumentException("this is a public key, which anybody may know, and no shared secret");
        }
        byte[] bytes = encoding.decode(secret);
        if (algorithm.isShared() && bytes.length < leastBytes) {
            throw new IllegalArgumentException("the secret is " + bytes.length + " bytes once it is decoded; at least "
                    + leastBytes + " are safe, and with allow-short-secret=true fewer are allowed");
        }
        return algorithm.key(bytes);
    }

    /** What would never match, or is no secret at all. */
    static void refuseSlips(String secret) {
        if (secret.isBlank()) {
            throw new IllegalArgumentException("the secret is empty");
        }
        if (!secret.equals(secret.strip())) {
            throw new IllegalArgumentException("the secret begins or ends with a blank");
        }
        if (secret.startsWith("-----")) {
            throw new IllegalArgumentException("this is a line of a PEM file, which many know, and no secret");
        }
        if (secret.chars().anyMatch(it -> Character.isISOControl(it) || it == BYTE_ORDER_MARK)) {
            throw new IllegalArgumentException("the secret holds a control character or a byte order mark");
        }
        if (secret.startsWith("{xor}") || secret.startsWith("{aes}")) {
            throw new IllegalArgumentException(
                    "an encoded {xor} or {aes} value reaches an application as it is written; use secret-file");
        }
        if (secret.startsWith("v1,") || secret.startsWith("v1a,")) {
            throw new IllegalArgumentException(
                    "the version before the comma is not part of the secret; paste what follows it");
        }
    }
}
