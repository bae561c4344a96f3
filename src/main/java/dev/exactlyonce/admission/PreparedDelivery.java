package dev.exactlyonce.admission;

import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
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

    /** The same delivery under the key of its body. */
    Optional<PreparedDelivery> byBody() {
        return bodyKey.map(it -> new PreparedDelivery(source, it, fingerprint));
    }

    /** The same delivery under the key that it has for itself. */
    Optional<PreparedDelivery> separate() {
        return separateKey.map(it -> new PreparedDelivery(source, it, fingerprint));
    }
}
