package dev.exactlyonce.signature;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A shared secret. Compares decoded bytes in a time that does not depend on where they differ. */
final class HmacKey implements VerifyingKey {
    private final SecretKeySpec key;

    /**
     * @param algorithm as the JDK calls it, {@code HmacSHA256}
     * @param secret at least one byte
     */
    HmacKey(String algorithm, byte[] secret) {
        this.key = new SecretKeySpec(secret, algorithm);
    }

    @Override
    public Optional<byte[]> match(List<byte[]> content, List<byte[]> signatures) {
        byte[] own = sign(content);
        return signatures.stream().anyMatch(it -> MessageDigest.isEqual(own, it)) ? Optional.of(own) : Optional.empty();
    }

    static byte[] hmac(String algorithm, byte[] secret, byte[] content) {
        return new HmacKey(algorithm, secret).sign(List.of(content));
    }

    private byte[] sign(List<byte[]> content) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            content.forEach(mac::update);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no " + key.getAlgorithm(), e);
        }
    }
}
