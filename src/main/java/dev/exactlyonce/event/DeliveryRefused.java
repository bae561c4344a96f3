package dev.exactlyonce.event;

/**
 * The delivery was refused before the store was asked: too large, not verified, or without a usable key. Requests that are refused for other reasons (an undeclared source, an encoded body) have no event.
 *
 * @param source the source's name
 * @param reason which check failed
 * @param detail what failed, without data of the request or a secret; for the operator, not for the sender
 * @since 0.1
 */
public record DeliveryRefused(String source, RefusalReason reason, String detail) implements DeliveryEvent {}
