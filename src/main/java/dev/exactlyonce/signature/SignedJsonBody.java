package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;

/**
 * A signature whose body must be exactly one JSON object or array: looked at once the signature is right. Where nothing
 * separates the body from what is signed before and behind it, no other cut of the signed content leaves such a body; and
 * what a length extension appends is none. Thread-safe.
 */
final class SignedJsonBody implements DeliveryVerifier {
    private static final Verification NO_JSON =
            Verification.refused("the body is not exactly one JSON object or array");

    private final DeliveryVerifier signature;
    private final JsonFields.Reader json;

    SignedJsonBody(DeliveryVerifier signature, JsonFields.Reader json) {
        this.signature = signature;
        this.json = json;
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return signature.verifyHeaders(request);
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        Verification signed = signature.verify(request, body);
        return !signed.isValid()
                        || (isStructure(body) && json.read(request, body).isPresent())
                ? signed
                : NO_JSON;
    }

    private static boolean isStructure(byte[] body) {
        for (byte it : body) {
            if (it == '{' || it == '[') {
                return true;
            }
            if (it != ' ' && it != '\t' && it != '\r' && it != '\n') {
                return false;
            }
        }
        return false;
    }
}
