package dev.exactlyonce.rest;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What {@code Content-Encoding} says of a body. */
enum ContentCoding {
    /** It is as it is. */
    IDENTITY,
    /** Only names that are no content coding, such as {@code UTF-8} or {@code none}: the body is taken as it was sent. */
    UNREGISTERED,
    /** It is compressed, or encoded otherwise. */
    ENCODED;

    /** The registry of HTTP content codings, at https://www.iana.org/assignments/http-parameters, without identity. */
    private static final Set<String> REGISTERED = Set.of(
            "aes128gcm",
            "br",
            "compress",
            "dcb",
            "dcz",
            "deflate",
            "exi",
            "gzip",
            "pack200-gzip",
            "x-compress",
            "x-gzip",
            "zstd");

    /** @param values the field's values, each a list with commas */
    static ContentCoding of(List<String> values) {
        ContentCoding found = IDENTITY;
        for (String value : values) {
            for (String element : value.split(",", -1)) {
                String coding = FieldValues.trimmed(element.split(";", 2)[0]).toLowerCase(Locale.ROOT);
                if (REGISTERED.contains(coding)) {
                    return ENCODED;
                }
                if (!coding.isEmpty() && !coding.equals("identity")) {
                    found = UNREGISTERED;
                }
            }
        }
        return found;
    }
}
