package dev.exactlyonce.signature;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.Verification;

/**
 * Both signatures of Standard Webhooks: {@code v1} with a shared secret, {@code v1a} with a public key. Where a public key
 * is known and such a signature was sent, it alone counts: the weaker one does not rescue it. Thread-safe.
 *
 * @see <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">the
 *     specification</a>
 */
final class StandardWebhooks implements DeliveryVerifier {
    private final HeaderSignature shared;
    private final HeaderSignature asymmetric;

    StandardWebhooks(HeaderSignature shared, HeaderSignature asymmetric) {
        this.shared = shared;
        this.asymmetric = asymmetric;
    }

    @Override
    public Verification verifyHeaders(DeliveryRequest request) {
        return counting(request).verifyHeaders(request);
    }

    @Override
    public Verification verify(DeliveryRequest request, byte[] body) {
        return counting(request).verify(request, body);
    }

    private HeaderSignature counting(DeliveryRequest request) {
        boolean byPublicKey = asymmetric.hasKeys() && (asymmetric.isSigned(request) || !shared.hasKeys());
        return byPublicKey ? asymmetric : shared;
    }
}
