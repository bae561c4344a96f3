package dev.exactlyonce.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.X509EncodedKeySpec;

/** How a signature is made and checked; all of it by the JDK's own providers. */
public enum Algorithm {
    /** HMAC with SHA-1: of senders that know nothing better; only where it is named. */
    SHA1("HmacSHA1"),
    /** HMAC with SHA-256. */
    SHA256("HmacSHA256"),
    /** HMAC with SHA-512. */
    SHA512("HmacSHA512"),
    /** Ed25519 (RFC 8032); the secret is the sender's public key, 32 bytes. */
    ED25519("Ed25519") {
        @Override
        VerifyingKey key(byte[] publicKey) {
            if (publicKey.length != 32) {
                throw new IllegalArgumentException("the public key must be 32 bytes, was " + publicKey.length);
            }
            byte[] encoded = new byte[SPKI_OF_ED25519.length + publicKey.length];
            System.arraycopy(SPKI_OF_ED25519, 0, encoded, 0, SPKI_OF_ED25519.length);
            System.arraycopy(publicKey, 0, encoded, SPKI_OF_ED25519.length, publicKey.length);
            return publicKey("Ed25519", encoded);
        }
    },
    /** ECDSA with SHA-256, the signature in DER; the secret is the sender's public key, an X.509 SubjectPublicKeyInfo. */
    ECDSA_SHA256("SHA256withECDSA") {
        @Override
        VerifyingKey key(byte[] publicKey) {
            return publicKey("EC", publicKey);
        }
    },
    /**
     * SHA-256 of the secret and then the content: no HMAC. Anyone who has one such signature can make that of a longer content,
     * so it is for the senders alone that know nothing better.
     */
    PLAIN_SHA256("SHA-256") {
        @Override
        VerifyingKey key(byte[] secret) {
            return new DigestKey("SHA-256", secret, new byte[0]);
        }
    },
    /** SHA-1 of the content and then the secret: no HMAC either, but a longer content cannot be made from it. */
    SHA1_OF_SECRET_BEHIND("SHA-1") {
        @Override
        VerifyingKey key(byte[] secret) {
            return new DigestKey("SHA-1", new byte[0], secret);
        }
    };

    /** What stands before the 32 bytes in a SubjectPublicKeyInfo: RFC 8410, section 4. */
    private static final byte[] SPKI_OF_ED25519 = {
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00
    };

    private final String name;

    Algorithm(String name) {
        this.name = name;
    }

    /**
     * @param secret at least one byte
     * @throws IllegalArgumentException that names the fault and shows nothing of the secret
     */
    VerifyingKey key(byte[] secret) {
        return new HmacKey(name, secret);
    }

    /** Those that a source may choose by itself. */
    public static Algorithm[] offered() {
        return new Algorithm[] {SHA1, SHA256, SHA512, ED25519, ECDSA_SHA256};
    }

    /** Whether the secret is one that both sides share. */
    boolean isShared() {
        return this != ED25519 && this != ECDSA_SHA256;
    }

    final VerifyingKey publicKey(String kind, byte[] encoded) {
        try {
            return new PublicSignatureKey(
                    name, KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the public key is none of " + kind);
        }
    }
}
