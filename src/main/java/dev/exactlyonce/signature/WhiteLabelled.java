package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;
import java.util.List;

/**
 * A signature whose headers have a sender's own names, or those of the standard when it is white-labelled. A request with any
 * header of the sender's is read by those alone: the key is looked for there first, and must be the id that is signed.
 * Thread-safe.
 *
 * @param names the sender's own headers
 */
record WhiteLabelled(List<String> names, DeliveryVerifier own, DeliveryVerifier standard) implements DeliveryVerifier {
    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return of(request).verifyHeaders(request);
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        return of(request).verify(request, body);
    }

    private DeliveryVerifier of(DeliveryRequest request) {
        return names.stream().allMatch(it -> request.header(it).isEmpty()) ? standard : own;
    }
}
