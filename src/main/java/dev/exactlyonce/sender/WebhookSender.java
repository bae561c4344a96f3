package dev.exactlyonce.sender;

/**
 * Sends webhooks: stable keys, signatures, a retry budget, then the dead-letter queue. Injectable. Thread-safe.
 *
 * <pre>{@code
 * @Inject WebhookSender sender;
 *
 * @Transactional
 * void pay(Order order) {
 *     orders.markPaid(order);
 *     EventRun run = EventRun.of(order.id());
 *     sender.send("crm", WebhookEvent.json(run.next("order_paid"), Map.of("order", order.number())));
 * }
 * }</pre>
 *
 * Guaranteed: an event that {@link #send} accepted is delivered at least once or is in {@link DeadLetters}, also after a
 * crash at any point, always under the key and with the bytes of the first attempt. <b>Not</b> guaranteed: an order between
 * events, and that a receiver sees an event only once; it may see it again under the same key, in {@code Idempotency-Key}
 * and {@code webhook-id}.
 *
 * @since 0.1.0
 */
public interface WebhookSender {
    /**
     * Puts the event into the outbox. When this returns the event is durable: on disk, or, with {@code
     * exactlyonce.sender.data-source} inside a JTA transaction, as soon as the caller's transaction commits, and gone when
     * it rolls back. The first attempt follows at once.
     *
     * @param endpoint the name of a declared endpoint
     * @return {@link Sent#KNOWN} when the outbox has an event with this key for this endpoint, or had one within the
     *     retention: nothing was added
     * @throws IllegalArgumentException when no such endpoint is declared, the body is too large for it or cannot be
     *     encoded, or a header is reserved: the event will never be sendable as it is
     * @throws OutboxUnavailableException when the outbox cannot be written: whether the event was stored is unknown; send it
     *     again with the same key
     */
    Sent send(String endpoint, WebhookEvent event);

    /** The result of {@link #send}. */
    enum Sent {
        /** It is in the outbox. */
        QUEUED,
        /** It was there already. */
        KNOWN
    }
}
