package dev.exactlyonce.sender.redis;

import dev.exactlyonce.sender.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How an entry that is still in a replica's own outbox is called: by its row, and by a digest of its event. Rows of other
 * replicas have the same numbers, and an operator may ask any replica.
 *
 * @param row its id in the outbox
 * @param digest of its endpoint and key
 */
record LocalId(String row, String digest) {
    private static final Pattern TEXT = Pattern.compile("local-(\\d{1,18})-([0-9a-f]{16})");
    private static final int DIGEST_BYTES = 8;

    static LocalId of(DeadLetter letter) {
        return new LocalId(letter.id(), digest(letter.endpoint() + ' ' + letter.key()));
    }

    /** Empty for any other text. */
    static Optional<LocalId> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches() ? Optional.of(new LocalId(parts.group(1), parts.group(2))) : Optional.empty();
    }

    boolean isOf(DeadLetter letter) {
        return equals(of(letter));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    @Override
    public String toString() {
        return "local-" + row + "-" + digest;
    }
}
