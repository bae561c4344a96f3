package dev.exactlyonce.event;

/**
 * A delivery came under the id of an earlier one and with another body, from a source that does not sign its ids: it runs
 * under its id and its body. A captured delivery may have been sent again under this id.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record UnsignedIdReused(String source, String key) implements KeyedDeliveryEvent {}
