package dev.exactlyonce.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/** A shared secret that a sender puts before or behind the content, and then takes the digest of both. */
final class DigestKey implements VerifyingKey {
    private final String algorithm;
    private final byte[] before;
    private final byte[] behind;

    DigestKey(String algorithm, byte[] before, byte[] behind) {
        this.algorithm = algorithm;
        this.before = before;
        this.behind = behind;
    }

    @Override
    public Optional<byte[]> match(List<byte[]> content, List<byte[]> signatures) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            digest.update(before);
            content.forEach(digest::update);
            byte[] own = digest.digest(behind);
            return signatures.stream().anyMatch(it -> MessageDigest.isEqual(own, it))
                    ? Optional.of(own)
                    : Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no " + algorithm, e);
        }
    }
}
