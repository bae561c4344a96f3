package dev.exactlyonce.sender.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs an attempt's very bytes, so that any receiver can check them: {@code X-Signature-256}, as GitHub made it common, and
 * Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, {@code spec/standard-webhooks.md}) in {@code
 * v1} and, with a private key, {@code v1a}. While a secret is changed the old one signs, too: {@code webhook-signature}
 * has a signature of each, {@code X-Signature-256} comes once for each, the current one first. Thread-safe.
 */
public final class Signer {
    /** The bytes before the 32 of a private key in PKCS #8: RFC 8410, section 7. */
    private static final byte[] PKCS8_OF_ED25519 = HexFormat.of().parseHex("302e020100300506032b657004220420");

    private static final String SHARED = "whsec_";
    private static final String PRIVATE = "whsk_";
    private static final int LEAST_SECRET = 16;
    private static final int SEED = 32;

    private final List<String> secrets;
    private final List<byte[]> standardKeys;
    private final Optional<PrivateKey> privateKey;

    /**
     * @param secrets the current one first, at most two; of {@code whsec_} and Base64, or any text of at least 16
     *     characters; a plain text's bytes are the key of both signatures, of {@code whsec_} the decoded ones that of
     *     {@code v1} and the text's that of {@code X-Signature-256}
     * @param privateKey {@code whsk_} and the Base64 of an Ed25519 seed, alone or before its public key; empty: no
     *     {@code v1a}
     * @throws IllegalArgumentException that names the fault without any part of the secret
     */
    public Signer(List<String> secrets, Optional<String> privateKey) {
        if (secrets.isEmpty() || secrets.size() > 2) {
            throw new IllegalArgumentException("one secret is needed, and one previous secret is allowed");
        }
        this.secrets = List.copyOf(secrets);
        this.standardKeys = secrets.stream().map(Signer::standardKey).toList();
        this.privateKey = privateKey.map(Signer::ed25519);
    }

    /** @throws IllegalArgumentException as the constructor does of a {@code privateKey} */
    public static void requireSigningKey(String text) {
        ed25519(text);
    }

    /**
     * The headers of one attempt; each attempt signs its own time.
     *
     * @param id the event's key
     */
    public Map<String, List<String>> headers(String id, byte[] body, Instant now) {
        String timestamp = Long.toString(now.getEpochSecond());
        byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        Base64.Encoder base64 = Base64.getEncoder();

        List<String> signatures = new ArrayList<>();
        standardKeys.forEach(it -> signatures.add("v1," + base64.encodeToString(hmac(it, prefix, body))));
        privateKey.ifPresent(it -> signatures.add("v1a," + base64.encodeToString(sign(it, prefix, body))));
        List<String> plain = secrets.stream()
                .map(it -> "sha256="
                        + HexFormat.of().formatHex(hmac(it.getBytes(StandardCharsets.UTF_8), new byte[0], body)))
                .toList();

        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("idempotency-key", List.of(id));
        headers.put("x-signature-256", plain);
        headers.put("webhook-id", List.of(id));
        headers.put("webhook-timestamp", List.of(timestamp));
        headers.put("webhook-signature", List.of(String.join(" ", signatures)));
        return headers;
    }

    private static byte[] standardKey(String secret) {
        requireSound(secret);
        if (secret.startsWith(SHARED)) {
            byte[] key = base64(secret.substring(SHARED.length()));
            if (key.length < 24 || key.length > 64) {
                throw new IllegalArgumentException(
                        "the secret is " + key.length + " bytes once it is decoded; Standard Webhooks allows 24 to 64");
            }
            return key;
        }
        if (secret.length() < LEAST_SECRET) {
            throw new IllegalArgumentException("the secret is shorter than " + LEAST_SECRET + " characters");
        }
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    /** What is a slip rather than a secret: see also the receiving side's rules. */
    private static void requireSound(String secret) {
        if (secret.isBlank()) {
            throw new IllegalArgumentException("the secret is empty");
        }
        if (!secret.equals(secret.strip()) || secret.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the secret begins or ends with a blank, or holds a control character");
        }
        if (secret.startsWith(PRIVATE) || secret.startsWith("whpk_") || secret.startsWith("-----")) {
            throw new IllegalArgumentException(
                    "this is a key of another kind; a secret is whsec_ and Base64, or a text");
        }
        if (secret.startsWith("{xor}") || secret.startsWith("{aes}")) {
            throw new IllegalArgumentException(
                    "an encoded {xor} or {aes} value reaches an application as it is written");
        }
        if (secret.startsWith("v1,") || secret.startsWith("v1a,")) {
            throw new IllegalArgumentException("the version before the comma is not part of a secret");
        }
    }

    private static PrivateKey ed25519(String text) {
        if (!text.startsWith(PRIVATE)) {
            throw new IllegalArgumentException("the signing key begins with whsk_, and Base64 follows");
        }
        byte[] key = base64(text.substring(PRIVATE.length()));
        if (key.length != SEED && key.length != 2 * SEED) {
            throw new IllegalArgumentException(
                    "the signing key is 32 bytes once it is decoded, or 64 with its public key, was " + key.length);
        }
        byte[] encoded = Arrays.copyOf(PKCS8_OF_ED25519, PKCS8_OF_ED25519.length + SEED);
        System.arraycopy(key, 0, encoded, PKCS8_OF_ED25519.length, SEED);
        try {
            return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the signing key is none of Ed25519");
        }
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("the text after the prefix is not valid Base64");
        }
    }

    private static byte[] hmac(byte[] key, byte[] prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(prefix);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no HmacSHA256", e);
        }
    }

    private static byte[] sign(PrivateKey key, byte[] prefix, byte[] body) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(prefix);
            signature.update(body);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no Ed25519", e);
        }
    }

    @Override
    public String toString() {
        return "signer";
    }
}
