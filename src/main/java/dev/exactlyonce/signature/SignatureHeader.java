package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How a header carries signatures: one, or several entries of which those with the prefix count. Entries with another
 * prefix are of other versions, and skipped.
 *
 * @param names what the header may be called: the first that was sent counts
 * @param isNumbered whether it is several headers, of which each has a number after that name, from 1
 * @param separator what separates entries; none where the whole value is one
 * @param prefix what an entry with a signature begins with; may be empty
 * @param encoding how the rest of such an entry is written
 */
public record SignatureHeader(
        List<String> names,
        boolean isNumbered,
        Optional<Separator> separator,
        String prefix,
        SignatureEncoding encoding) {
    /** An honest sender rotates through a few; each one that is looked at costs time. */
    static final int MOST_SIGNATURES = 20;

    /** DocuSign signs with up to a hundred keys, each in a header of its own. */
    static final int MOST_NUMBERED = 100;

    private static final int LONGEST = 16_384;

    /** What separates entries. */
    public enum Separator {
        COMMA(','),
        SEMICOLON(';'),
        BLANK(' ');

        private final char character;

        Separator(char character) {
            this.character = character;
        }
    }

    /** Of a signature that stands alone in its header. */
    static SignatureHeader plain(String name, SignatureEncoding encoding) {
        return new SignatureHeader(List.of(name), false, Optional.empty(), "", encoding);
    }

    /** Every entry in the request's headers of this name, without the blanks around it. */
    List<String> entries(DeliveryRequest request) {
        return entries(values(request));
    }

    private List<String> values(DeliveryRequest request) {
        return names.stream()
                .map(it -> values(request, it))
                .filter(it -> !it.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private List<String> values(DeliveryRequest request, String name) {
        Stream<String> numbered = isNumbered
                ? IntStream.rangeClosed(1, MOST_NUMBERED).mapToObj(number -> name + number)
                : Stream.of(name);
        return numbered.flatMap(it -> request.header(it).stream()).toList();
    }

    private List<String> entries(List<String> values) {
        List<String> entries = new ArrayList<>();
        for (String value : values) {
            if (value.length() > LONGEST) {
                return List.of();
            }
            split(value, it -> entries.add(it.strip()));
        }
        return entries;
    }

    private void split(String value, Consumer<String> entries) {
        if (separator.isEmpty()) {
            entries.accept(value);
            return;
        }
        int from = 0;
        for (int to; (to = value.indexOf(separator.get().character, from)) >= 0; from = to + 1) {
            entries.accept(value.substring(from, to));
        }
        entries.accept(value.substring(from));
    }

    /** Whether any entry claims to be a signature, however malformed. */
    boolean hasSignature(DeliveryRequest request) {
        return entries(request).stream().anyMatch(it -> it.startsWith(prefix));
    }

    /** The signatures among the entries, decoded; what is malformed is none. */
    List<byte[]> signatures(List<String> entries) {
        List<byte[]> signatures = new ArrayList<>();
        for (String entry : entries) {
            if (entry.startsWith(prefix) && signatures.size() < (isNumbered ? MOST_NUMBERED : MOST_SIGNATURES)) {
                encoding.decode(entry.substring(prefix.length()))
                        .filter(it -> it.length > 0)
                        .ifPresent(signatures::add);
            }
        }
        return signatures;
    }
}
