package dev.exactlyonce.event;

/**
 * The store could not be reached and the source has {@code on-outage=reject}: the delivery was answered 503 and its sender
 * is expected to retry.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record DeliveryDeferred(String source, String key) implements KeyedDeliveryEvent {}
