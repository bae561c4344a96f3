package dev.exactlyonce.admission;

/** Checks that a delivery comes from its source. */
@FunctionalInterface
public interface DeliveryVerifier {
    /** For a source without a signature: accepts everything. */
    DeliveryVerifier NONE = (request, body) -> Verification.VALID;

    /**
     * @param body the exact bytes received
     * @return whether the signature is there and right; a malformed one is refused, never an exception
     */
    Verification verify(DeliveryRequest request, byte[] body);

    /**
     * What the headers tell before anything of the body is read: refused where no body could make the delivery valid, such
     * as without a signature. Never a proof that it is valid.
     */
    default Verification verifyHeaders(DeliveryRequest request) {
        return Verification.VALID;
    }
}
