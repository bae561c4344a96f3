package dev.exactlyonce.source;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A form of the type {@code application/x-www-form-urlencoded}. */
final class UrlEncodedForm {
    static final String TYPE = "application/x-www-form-urlencoded";

    private UrlEncodedForm() {}

    /**
     * The values of the field, each empty where it is malformed. Another field is not looked at: it may be malformed, or of
     * another charset.
     */
    static List<Optional<String>> values(byte[] body, String field, Charset charset) {
        List<Optional<String>> values = new ArrayList<>();
        for (int from = 0; from <= body.length; from = end(body, '&', from, body.length) + 1) {
            int to = end(body, '&', from, body.length);
            int equals = end(body, '=', from, to);
            if (Decoding.formText(body, from, equals, charset).equals(Optional.of(field))) {
                values.add(Decoding.formText(body, Math.min(equals + 1, to), to, charset));
            }
        }
        return values;
    }

    private static int end(byte[] body, char separator, int from, int to) {
        for (int i = from; i < to; i++) {
            if (body[i] == separator) {
                return i;
            }
        }
        return to;
    }
}
