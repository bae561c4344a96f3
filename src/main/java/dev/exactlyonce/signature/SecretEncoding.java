package dev.exactlyonce.signature;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/** How a secret's text becomes a key's bytes. */
public enum SecretEncoding {
    /** The text itself, as UTF-8, with any prefix that it has. */
    UTF8,
    /** Base64, RFC 4648, section 4. */
    BASE64,
    /** Two hexadecimal digits a byte. */
    HEX,
    /** Base64 after an optional {@code whsec_}: Standard Webhooks. */
    WHSEC,
    /** Base64 after {@code whpk_}: the public key of Standard Webhooks. */
    WHPK;

    static final String WHSEC_PREFIX = "whsec_";
    static final String WHPK_PREFIX = "whpk_";

    /** @throws IllegalArgumentException that names the fault and shows nothing of the secret */
    byte[] decode(String secret) {
        return switch (this) {
            case UTF8 -> secret.getBytes(StandardCharsets.UTF_8);
            case BASE64 -> base64(secret);
            case WHSEC -> base64(secret.startsWith(WHSEC_PREFIX) ? secret.substring(WHSEC_PREFIX.length()) : secret);
            case WHPK -> base64(secret.startsWith(WHPK_PREFIX) ? secret.substring(WHPK_PREFIX.length()) : secret);
            case HEX -> hex(secret);
        };
    }

    private static byte[] base64(String text) {
        try {
            byte[] key = Base64.getDecoder().decode(text);
            if (key.length > 0) {
                return key;
            }
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("the secret is not valid Base64; paste it as the provider shows it");
        }
        throw new IllegalArgumentException("the secret is empty after its prefix");
    }

    private static byte[] hex(String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("the secret is not a hexadecimal number of whole bytes");
        }
    }
}
