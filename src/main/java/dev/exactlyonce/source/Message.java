package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.Digests;
import java.util.List;
import java.util.Optional;

/** A request and its body, as the lookups see them. */
@SuppressWarnings("ArrayRecordComponent") // passed on within one resolution, never compared
record Message(DeliveryRequest request, byte[] body) {
    String digest() {
        return Digests.sha256Hex(body);
    }

    boolean isForm() {
        return FormFields.areIn(request);
    }

    /** As {@link FormFields#values}. */
    Optional<List<Optional<String>>> formValues(String name) {
        return FormFields.values(request, body, name);
    }
}
