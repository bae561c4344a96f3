package dev.exactlyonce.source;

import dev.exactlyonce.admission.DeliveryRequest;
import java.util.List;
import java.util.Optional;

/** A request and its body, as the lookups see them. */
@SuppressWarnings("ArrayRecordComponent") // passed on within one resolution, never compared
record Message(DeliveryRequest request, byte[] body) {
    /** Of the body as it is signed. */
    String digest() {
        return request.bodyDigest(body);
    }

    /** The document that the body is; empty when it is not well-formed JSON. */
    Optional<JsonBody> json() {
        return JsonBody.of(request, body);
    }

    boolean isForm() {
        return FormFields.areIn(request);
    }

    /** As {@link FormFields#values}. */
    Optional<List<Optional<String>>> formValues(String name) {
        return FormFields.values(request, body, name);
    }
}
