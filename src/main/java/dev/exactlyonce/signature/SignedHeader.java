package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.List;
import java.util.Optional;

/** The value of a header that is signed. */
final class SignedHeader {
    private static final int LAST_BYTE = 0xff;

    private SignedHeader() {}

    /**
     * Nothing when it is missing, empty or repeated, or holds a character that is no byte: that one would be signed as a
     * question mark, and many texts would have one signature.
     */
    static Optional<String> find(DeliveryRequest request, String name) {
        List<String> values = request.header(name);
        return values.size() == 1
                        && !values.get(0).isEmpty()
                        && values.get(0).chars().allMatch(it -> it <= LAST_BYTE)
                ? Optional.of(values.get(0))
                : Optional.empty();
    }
}
