package dev.exactlyonce.admission;

import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A delivery that may ask for admission: read, verified and keyed. The key is fixed here; what a handler later changes
 * in the message does not change it.
 *
 * @param bodyKey the key of its body, where that must be new as well
 * @param separateKey its key together with its body, where one key may come with another body, and both are to run
 */
public record PreparedDelivery(
        SourcePolicy source,
        DeliveryKey key,
        Fingerprint fingerprint,
        Optional<DeliveryKey> bodyKey,
        Optional<DeliveryKey> separateKey) {
    public PreparedDelivery(SourcePolicy source, DeliveryKey key, Fingerprint fingerprint) {
        this(source, key, fingerprint, Optional.empty(), Optional.empty());
    }

    static PreparedDelivery of(
            SourcePolicy source, DeliveryRequest request, KeyResolver.Resolution.KeyParts found, byte[] body) {
        DeliveryKey key = DeliveryKey.of(source.name(), request.endpoint(), found.parts());
        if (source.fingerprint() == SourcePolicy.FingerprintBy.NONE && !found.andBody()) {
            return new PreparedDelivery(source, key, Fingerprint.NONE);
        }
        String digest = request.bodyDigest(body);
        return new PreparedDelivery(
                source,
                key,
                source.fingerprintOf(digest),
                found.andBody() ? Optional.of(bodyKey(source, request, digest)) : Optional.empty(),
                source.fingerprint() == SourcePolicy.FingerprintBy.SEPARATE
                        ? Optional.of(separateKey(source, request, found.parts(), digest))
                        : Optional.empty());
    }

    /** No request has this endpoint, so that the key is never another delivery's own. */
    private static DeliveryKey bodyKey(SourcePolicy source, DeliveryRequest request, String digest) {
        return DeliveryKey.of(source.name(), request.endpoint() + "#body", List.of(digest));
    }

    /** No request has this endpoint, either. */
    private static DeliveryKey separateKey(
            SourcePolicy source, DeliveryRequest request, List<String> parts, String digest) {
        List<String> all = new ArrayList<>(parts);
        all.add(digest);
        return DeliveryKey.of(source.name(), request.endpoint() + "#separate", all);
    }

    /** What it has to claim, in this order: its own key and, where the body must be new as well, the body's. */
    List<PreparedDelivery> toClaim() {
        return bodyKey.map(it -> List.of(this, new PreparedDelivery(source, it, fingerprint)))
                .orElseGet(() -> List.of(this));
    }

    /** The same delivery under the key that it has for this body alone. */
    Optional<PreparedDelivery> separate() {
        return separateKey.map(it -> new PreparedDelivery(source, it, fingerprint));
    }
}
