package dev.exactlyonce.source;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A form of the type {@code multipart/form-data} (RFC 7578), read over the bytes as they were sent, in one pass. Lines end
 * with CR LF, and the last boundary must be there: what two readers could understand differently makes no key.
 */
final class MultipartForm {
    static final String TYPE = "multipart/form-data";

    /** RFC 2046, section 5.1.1. */
    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

    private static final Set<String> NO_ENCODING = Set.of("7bit", "8bit", "binary");

    private final byte[] body;
    private final byte[] delimiter;
    private final String field;
    private final List<Optional<String>> values = new ArrayList<>();

    private MultipartForm(byte[] body, String boundary, String field) {
        this.body = body;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        this.field = field;
    }

    /**
     * The values of the field, each empty where it is malformed; nothing at all when the body is no such form. A file is no
     * field, and another field is not looked at.
     */
    static Optional<List<Optional<String>>> values(byte[] body, HeaderParameters type, String field) {
        return type.parameter("boundary")
                .filter(it -> BOUNDARY.matcher(it).matches())
                .map(it -> new MultipartForm(body, it, field))
                .filter(MultipartForm::read)
                .map(it -> it.values);
    }

    private boolean read() {
        int boundary = startsWithBoundary() ? -2 : next(0); // the first one may have no line before it
        while (boundary != body.length) {
            int after = boundary + delimiter.length;
            if (isAt(after, '-') && isAt(after + 1, '-')) {
                return true; // what follows is an epilogue
            }
            while (isAt(after, ' ') || isAt(after, '\t')) {
                after++;
            }
            if (!isAt(after, '\r') || !isAt(after + 1, '\n')) {
                return false; // a longer boundary than ours
            }
            int end = next(after);
            if (end == body.length) {
                return false;
            }
            part(after, end);
            boundary = end;
        }
        return false;
    }

    private boolean startsWithBoundary() {
        int i = 2;
        while (i < delimiter.length && isAt(i - 2, delimiter[i])) {
            i++;
        }
        return i == delimiter.length;
    }

    /** Where the next boundary's line break is, or the body's end. No byte is looked at twice: only a delimiter has a CR first. */
    private int next(int from) {
        int i = from;
        while (i < body.length) {
            int same = 0;
            while (same < delimiter.length && isAt(i + same, delimiter[same])) {
                same++;
            }
            if (same == delimiter.length) {
                return i;
            }
            i += Math.max(1, same);
        }
        return body.length;
    }

    private boolean isAt(int index, int character) {
        return index < body.length && body[index] == character;
    }

    /** @param from where the line break before the part's headers is */
    private void part(int from, int end) {
        Optional<HeaderParameters> disposition = Optional.empty();
        HeaderParameters type = HeaderParameters.parse("text/plain");
        boolean isEncoded = false;
        int line = from + 2;
        while (!(isAt(line, '\r') && isAt(line + 1, '\n'))) {
            int next = lineEnd(line, end);
            if (next == end) {
                return; // no blank line: no part
            }
            String header = new String(body, line, next - line, StandardCharsets.UTF_8);
            if (has(header, "content-disposition:")) {
                if (disposition.isPresent()) {
                    return;
                }
                disposition = Optional.of(parameters(header));
            } else if (has(header, "content-type:")) {
                type = parameters(header);
            } else if (has(header, "content-transfer-encoding:")) {
                isEncoded = !NO_ENCODING.contains(parameters(header).value());
            }
            line = next + 2;
        }
        if (disposition.filter(this::isOurs).isPresent()) {
            values.add(isEncoded ? Optional.empty() : value(Math.min(line + 2, end), end, type.charset()));
        }
    }

    private Optional<String> value(int from, int end, Charset charset) {
        return Decoding.text(body, from, end, charset);
    }

    private int lineEnd(int from, int end) {
        for (int i = from; i < end; i++) {
            if (isAt(i, '\r')
                    && isAt(i + 1, '\n')
                    && !isAt(i + 2, ' ')
                    && !isAt(i + 2, '\t')) { // else the line goes on
                return i;
            }
        }
        return end;
    }

    private static boolean has(String header, String name) {
        return header.regionMatches(true, 0, name, 0, name.length());
    }

    private static HeaderParameters parameters(String header) {
        return HeaderParameters.parse(header.substring(header.indexOf(':') + 1).replace("\r\n", ""));
    }

    private boolean isOurs(HeaderParameters disposition) {
        return disposition.value().equals("form-data")
                && disposition.parameter("filename").isEmpty()
                && disposition.parameter("filename*").isEmpty()
                && name(disposition).equals(Optional.of(field));
    }

    /** {@code name*} is not allowed in a form (RFC 7578, section 4.2) and sent all the same. */
    private static Optional<String> name(HeaderParameters disposition) {
        return disposition
                .parameter("name")
                .or(() -> disposition
                        .parameter("name*")
                        .filter(it -> it.regionMatches(true, 0, "utf-8'", 0, 6) && it.indexOf('\'', 6) >= 0)
                        .flatMap(it -> {
                            byte[] escaped = it.substring(it.indexOf('\'', 6) + 1)
                                    .replace("+", "%2B")
                                    .getBytes(StandardCharsets.UTF_8);
                            return Decoding.formText(escaped, 0, escaped.length, StandardCharsets.UTF_8);
                        }));
    }
}
