package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.Digests;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A request and its body, as the lookups see them. */
@SuppressWarnings("ArrayRecordComponent") // passed on within one resolution, never compared
record Message(DeliveryRequest request, byte[] body) {
    private static final String FORM = "application/x-www-form-urlencoded";

    String digest() {
        return Digests.sha256Hex(body);
    }

    /** The form's fields; none when the body is no form, nothing when it is a malformed one. */
    Optional<Map<String, List<String>>> form() {
        List<String> type = request.header("Content-Type");
        if (type.size() != 1 || !mediaType(type.get(0)).equals(FORM)) {
            return Optional.of(Map.of());
        }
        try {
            Map<String, List<String>> fields = new LinkedHashMap<>();
            for (String pair : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
                if (!pair.isEmpty()) {
                    int equals = pair.indexOf('=');
                    String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                    String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                    fields.computeIfAbsent(name, it -> new ArrayList<>()).add(value);
                }
            }
            return Optional.of(fields);
        } catch (CharacterCodingException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** Decodes strictly: a replacement character would make two different keys equal. */
    static String utf8(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Decodes to the bytes first, one character a byte, since the JDK's decoder replaces malformed UTF-8 without a word.
     * A character that the sender did not escape is among them as its own bytes.
     */
    private static String decode(String encoded) throws CharacterCodingException {
        return utf8(URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1));
    }
}
