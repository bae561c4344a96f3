package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.List;
import java.util.Optional;

/** What a signature needs of a JSON body; this package itself does not depend on JSON-P. */
public interface JsonFields {
    /** Reads the whole body of a request. */
    @FunctionalInterface
    interface Reader {
        /** Nothing when the body is no well-formed JSON; never an exception. */
        Optional<JsonFields> read(DeliveryRequest request, byte[] body);
    }

    /** The string, number or boolean at this JSON pointer, as text. */
    Optional<String> text(String pointer);

    /** The elements of the array at this JSON pointer; none when there is no array. */
    List<JsonFields> items(String pointer);
}
