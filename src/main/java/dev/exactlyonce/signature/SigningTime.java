package dev.exactlyonce.signature;

import java.util.List;
import java.util.Optional;

/**
 * Where the headers tell when a delivery was signed.
 *
 * @param header the header with it; none where the signature's own header does
 * @param prefix what the entry of the signature's header begins with that has it, or {@link #FIRST} for the first entry;
 *     without meaning beside a header
 */
public record SigningTime(Optional<String> header, String prefix, Freshness freshness) {
    /** In place of a prefix: the first entry of the signature's header is the time. */
    public static final String FIRST = "";

    /** The text as it was sent; nothing when it is not there exactly once. */
    Optional<String> find(List<String> headerValues, List<String> entries) {
        if (header.isEmpty() && prefix.equals(FIRST)) {
            return entries.stream().findFirst();
        }
        List<String> sent = header.isPresent()
                ? headerValues
                : entries.stream()
                        .filter(it -> it.startsWith(prefix))
                        .map(it -> it.substring(prefix.length()))
                        .toList();
        return sent.size() == 1 ? Optional.of(sent.get(0)) : Optional.empty();
    }
}
