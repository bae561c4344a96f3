package dev.exactlyonce.rest;

import dev.exactlyonce.admission.MalformedQueryException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A query as it was sent. Each parameter is decoded by itself: one that is not asked for may be malformed.
 *
 * @param raw without its question mark; empty when there is none
 */
record RawQuery(String raw) {
    private static final int LAST_BYTE = 0xff;

    /**
     * The decoded values of a parameter, in order.
     *
     * @throws MalformedQueryException when one of them is no percent-encoded UTF-8
     */
    List<String> values(String name) {
        List<String> values = new ArrayList<>();
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            boolean isIt = decoded(equals < 0 ? pair : pair.substring(0, equals))
                    .filter(name::equals)
                    .isPresent();
            if (isIt && !pair.isEmpty()) {
                values.add(decoded(equals < 0 ? "" : pair.substring(equals + 1))
                        .orElseThrow(() -> new MalformedQueryException(
                                "The query parameter " + name + " is not percent-encoded UTF-8.")));
            }
        }
        return values;
    }

    /** To the bytes first, one character a byte: the JDK's decoder replaces malformed UTF-8. */
    private static Optional<String> decoded(String encoded) {
        if (encoded.chars().anyMatch(it -> it > LAST_BYTE)) {
            return Optional.empty();
        }
        try {
            byte[] bytes =
                    URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
