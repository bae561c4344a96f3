package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.Optional;

/** What a signature needs of a form; this package itself knows none. */
public interface FormReader {
    /** Whether the request says that its body is a form. */
    boolean isForm(DeliveryRequest request);

    /** The field's value; nothing when it is missing, malformed or there more than once. */
    Optional<String> field(DeliveryRequest request, byte[] body, String name);
}
