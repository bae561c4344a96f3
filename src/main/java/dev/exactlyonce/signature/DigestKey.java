package dev.exactlyonce.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/** A shared secret that a sender puts before the content, and then takes the SHA-256 of both. */
final class DigestKey implements VerifyingKey {
    private static final String ALGORITHM = "SHA-256";

    private final byte[] secret;

    DigestKey(byte[] secret) {
        this.secret = secret;
    }

    @Override
    public Optional<byte[]> match(List<byte[]> content, List<byte[]> signatures) {
        try {
            MessageDigest digest = MessageDigest.getInstance(ALGORITHM);
            digest.update(secret);
            content.forEach(digest::update);
            byte[] own = digest.digest();
            return signatures.stream().anyMatch(it -> MessageDigest.isEqual(own, it))
                    ? Optional.of(own)
                    : Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no " + ALGORITHM, e);
        }
    }
}
