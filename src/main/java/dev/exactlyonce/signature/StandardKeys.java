package dev.exactlyonce.signature;

/** The two kinds of keys of Standard Webhooks, distinguished by their prefixes. */
final class StandardKeys {
    private static final String PRIVATE = "whsk_";

    private final SecretRules shared;
    private final SecretRules asymmetric = new SecretRules(Algorithm.ED25519, SecretEncoding.WHPK, 1);

    StandardKeys(int leastBytes) {
        this.shared = new SecretRules(Algorithm.SHA256, SecretEncoding.WHSEC, leastBytes);
    }

    VerifyingKey shared(String secret) {
        return isPublic(secret) ? VerifyingKey.NONE : shared.key(secret);
    }

    VerifyingKey asymmetric(String secret) {
        return isPublic(secret) ? asymmetric.key(secret) : VerifyingKey.NONE;
    }

    private static boolean isPublic(String secret) {
        if (secret.startsWith(PRIVATE)) {
            throw new IllegalArgumentException("this is the sender's private key; the public one begins with whpk_");
        }
        return secret.startsWith(SecretEncoding.WHPK_PREFIX);
    }
}
