package dev.exactlyonce.event;

/**
 * A copy of a recorded delivery: it was acknowledged, answered again or forwarded, as the source's {@code duplicate} says.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @param status the recorded HTTP status
 * @since 0.1
 */
public record DuplicateDelivered(String source, String key, int status) implements KeyedDeliveryEvent {}
