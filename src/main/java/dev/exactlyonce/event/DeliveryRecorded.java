package dev.exactlyonce.event;

/**
 * The handler's outcome was recorded: copies are duplicates until the TTL ends. Fired after the handler has ended, for an
 * asynchronous stage on the thread that completes it.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @param status the handler's HTTP status; 200 for the work of a runner
 * @param pending whether the store has not taken the record yet; it is retried in the background, and lost if this process
 *     ends before
 * @since 0.1
 */
public record DeliveryRecorded(String source, String key, int status, boolean pending) implements KeyedDeliveryEvent {}
