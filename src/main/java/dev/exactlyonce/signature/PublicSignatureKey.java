package dev.exactlyonce.signature;

import dev.exactlyonce.common.Digests;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.util.List;
import java.util.Optional;

/** A sender's public key. */
final class PublicSignatureKey implements VerifyingKey {
    /** Each is a look at the whole body, for anybody who asks for it. */
    private static final int MOST_TRIED = 4;

    /** RFC 8032: the JDK reads the first 64 bytes of a longer one. Of other algorithms it takes one length, or DER, alone. */
    private static final int ED25519_BYTES = 64;

    private final String algorithm;
    private final PublicKey key;

    /** @throws GeneralSecurityException when the algorithm cannot use the key */
    PublicSignatureKey(String algorithm, PublicKey key) throws GeneralSecurityException {
        this.algorithm = algorithm;
        this.key = key;
        begin();
    }

    private Signature begin() throws NoSuchAlgorithmException, InvalidKeyException {
        Signature signature = Signature.getInstance(algorithm);
        signature.initVerify(key);
        return signature;
    }

    @Override
    public Optional<byte[]> match(List<byte[]> content, List<byte[]> signatures) {
        return signatures.stream().limit(MOST_TRIED).anyMatch(it -> signed(content, it))
                ? Optional.of(digest(content)) // and not the signature: of one content there may be many
                : Optional.empty();
    }

    private static byte[] digest(List<byte[]> content) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        content.forEach(whole::writeBytes);
        return Digests.sha256(whole.toByteArray());
    }

    private boolean signed(List<byte[]> content, byte[] candidate) {
        if (algorithm.equals("Ed25519") && candidate.length != ED25519_BYTES) {
            return false;
        }
        try {
            Signature signature = begin();
            for (byte[] piece : content) {
                signature.update(piece);
            }
            return signature.verify(candidate);
        } catch (SignatureException notOfThisKind) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no " + algorithm + " any more", e);
        }
    }
}
