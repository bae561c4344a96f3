package dev.exactlyonce.event;

import dev.exactlyonce.common.Digests;

/**
 * What happened to a delivery whose idempotency key is known.
 *
 * @since 0.1
 */
public sealed interface KeyedDeliveryEvent extends DeliveryEvent
        permits DeliveryAdmitted,
                DeliveryRecorded,
                DeliveryReleased,
                DeliveryUnfinished,
                DeliverySuperseded,
                LeaseLost,
                DuplicateDelivered,
                DeliveryInFlight,
                UnsignedIdReused,
                KeyReusedWithOtherBody,
                DeliveryDeferred {
    /** The idempotency key in full, as the store holds it. It may contain the sender's data: log the digest instead. */
    String key();

    /** The first 16 hexadecimal digits of the key's SHA-256, as in the log. */
    default String keyDigest() {
        return Digests.sha256Hex(key()).substring(0, 16);
    }
}
