package dev.exactlyonce.event;

/**
 * A copy of a delivery that still runs, here or on another replica: it was answered with {@code in-flight-status}.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record DeliveryInFlight(String source, String key) implements KeyedDeliveryEvent {}
