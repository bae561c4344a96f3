package dev.exactlyonce.admission;

/** Checks that a delivery comes from its source. */
@FunctionalInterface
public interface DeliveryVerifier {
    /** For a source without a signature: accepts everything. */
    DeliveryVerifier NONE = (request, body) -> true;

    /**
     * @param body the exact bytes received
     * @return whether the signature is there and right; a malformed one is false, never an exception
     */
    boolean verify(DeliveryRequest request, byte[] body);
}
