package dev.exactlyonce.event;

/**
 * The handler ended after its lease, and another owner had taken the key: the handler may have run twice.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record DeliverySuperseded(String source, String key) implements KeyedDeliveryEvent {}
