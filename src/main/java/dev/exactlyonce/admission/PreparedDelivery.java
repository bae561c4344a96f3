package dev.exactlyonce.admission;

/**
 * A delivery that may ask for admission: read, verified and keyed. The key is fixed here; what a handler later changes
 * in the message does not change it.
 */
public record PreparedDelivery(SourcePolicy source, DeliveryKey key, Fingerprint fingerprint) {}
