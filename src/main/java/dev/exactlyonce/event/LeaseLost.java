package dev.exactlyonce.event;

/**
 * The handler still runs and its claim is not certain any more: another owner has the key, or the lease ended before a
 * renewal was confirmed, or {@code exactlyonce.max-hold} has ended. A copy may run beside it.
 *
 * <p>Fired once for each loss, within a third of the shortest lease, on a background thread of the module, in order with
 * {@link StoreDegraded} and {@link StoreRestored}. Not guaranteed: that it arrives before a copy starts.
 *
 * @param source the source's name
 * @param key the idempotency key in full
 * @since 0.1
 */
public record LeaseLost(String source, String key) implements KeyedDeliveryEvent {}
