package dev.exactlyonce.event;

/**
 * A delivery came under the key of an earlier one and with another body, and was answered 422 ({@code fingerprint=body}).
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record KeyReusedWithOtherBody(String source, String key) implements KeyedDeliveryEvent {}
