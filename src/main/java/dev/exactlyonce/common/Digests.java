package dev.exactlyonce.common;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, as bytes or in lower-case hex. */
public final class Digests {
    /** Cloned and never fed: the look-up costs as much as a short digest. */
    private static final MessageDigest SHA_256 = lookUp();

    private Digests() {}

    public static String sha256Hex(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes));
    }

    public static String sha256Hex(String text) {
        return HexFormat.of().formatHex(sha256(text));
    }

    /** Of the text's UTF-8. */
    public static byte[] sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] sha256(byte[] bytes) {
        try {
            return ((MessageDigest) SHA_256.clone()).digest(bytes);
        } catch (CloneNotSupportedException ofThisProvider) {
            return lookUp().digest(bytes);
        }
    }

    private static MessageDigest lookUp() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
