package dev.exactlyonce.source;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Decodes strictly: a replacement character would make two different keys equal. */
final class Decoding {
    private Decoding() {}

    static String utf8(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** Nothing when the bytes are no text of this charset. */
    static Optional<String> text(byte[] bytes, int from, int to, Charset charset) {
        try {
            ByteBuffer part = ByteBuffer.wrap(bytes, from, to - from);
            return Optional.of(charset.newDecoder().decode(part).toString());
        } catch (CharacterCodingException | UnsupportedOperationException malformed) {
            return Optional.empty();
        }
    }

    /**
     * A name or value of a form that is URL-encoded; nothing when an escape is none, or the bytes are no text of this
     * charset. A character that the sender did not escape is among them as its own bytes.
     */
    static Optional<String> formText(byte[] bytes, int from, int to, Charset charset) {
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(to - from);
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == '%') {
                int high = i + 2 < to ? Character.digit(bytes[i + 1], 16) : -1;
                int low = i + 2 < to ? Character.digit(bytes[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    return Optional.empty();
                }
                decoded.write(high << 4 | low);
                i += 2;
            } else {
                decoded.write(b == '+' ? ' ' : b);
            }
        }
        byte[] all = decoded.toByteArray();
        return text(all, 0, all.length, charset);
    }
}
