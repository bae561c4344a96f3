package dev.exactlyonce.sender;

/**
 * Sends webhooks: stable keys, signatures, a retry budget, then the dead-letter queue. Injectable. Thread-safe.
 *
 * <p>What is promised: an event that {@link #send} took is delivered at least once or stands in {@link DeadLetters}, also
 * after a crash at any point, always under the key and with the bytes of the first attempt. What is <b>not</b> promised: an
 * order between events, and that a receiver sees an event once; it may see it again under the same key, in {@code
 * Idempotency-Key} and {@code webhook-id}.
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
     * @throws OutboxUnavailableException when the outbox cannot be written: the event was not taken, as far as is known,
     *     and may be sent again with the same key
     */
    Sent send(String endpoint, WebhookEvent event);

    /** What became of an event that was handed over. */
    enum Sent {
        /** It is in the outbox. */
        QUEUED,
        /** It was there already. */
        KNOWN
    }
}
