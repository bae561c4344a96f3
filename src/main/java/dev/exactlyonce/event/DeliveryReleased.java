package dev.exactlyonce.event;

/**
 * The handler failed, or did not run after all, and the key was freed for the sender's retry. Fired
 * after the handler has ended, for an asynchronous stage on the thread that completes it. Not guaranteed: that the store has
 * freed the key already; during an outage the release is retried in the background until the lease ends.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @param status the handler's HTTP status, 500 where it has none
 * @since 0.1
 */
public record DeliveryReleased(String source, String key, int status) implements KeyedDeliveryEvent {}
