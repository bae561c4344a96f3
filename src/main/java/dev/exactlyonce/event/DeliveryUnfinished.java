package dev.exactlyonce.event;

/**
 * The handler was cancelled or timed out and may still run: its claim stays until the lease ends. Not
 * guaranteed: that the work ends before the lease; a copy may then run beside it.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record DeliveryUnfinished(String source, String key) implements KeyedDeliveryEvent {}
