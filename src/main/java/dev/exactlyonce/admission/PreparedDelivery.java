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
 * @param session of which one delivery runs at a time
 */
public record PreparedDelivery(
        SourcePolicy source,
        DeliveryKey key,
        Fingerprint fingerprint,
        Optional<DeliveryKey> bodyKey,
        Optional<DeliveryKey> separateKey,
        Optional<String> session) {
    public PreparedDelivery(SourcePolicy source, DeliveryKey key, Fingerprint fingerprint) {
        this(source, key, fingerprint, Optional.empty(), Optional.empty(), Optional.empty());
    }

    static PreparedDelivery of(
            SourcePolicy source, DeliveryRequest request, KeyResolver.Resolution.KeyParts found, byte[] body) {
        DeliveryKey key = DeliveryKey.of(source.name(), request.endpoint(), found.parts());
        Optional<String> session = session(source, found.session());
        if (source.fingerprint() == SourcePolicy.FingerprintBy.NONE && !found.andBody()) {
            return new PreparedDelivery(source, key, Fingerprint.NONE, Optional.empty(), Optional.empty(), session);
        }
        String digest = request.bodyDigest(body);
        return new PreparedDelivery(
                source,
                key,
                source.fingerprintOf(digest),
                found.andBody() ? Optional.of(bodyKey(source, request, digest)) : Optional.empty(),
                source.fingerprint() == SourcePolicy.FingerprintBy.SEPARATE
                        ? Optional.of(separateKey(source, request, found.parts(), digest))
                        : Optional.empty(),
                session);
    }

    /** The methods of one source share their sessions. */
    private static Optional<String> session(SourcePolicy source, List<String> parts) {
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(DeliveryKey.of(source.name(), "session", parts).value());
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
