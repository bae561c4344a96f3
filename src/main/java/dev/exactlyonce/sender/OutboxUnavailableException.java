package dev.exactlyonce.sender;

/**
 * The outbox could not be reached or written. Its message contains no address and no payload.
 *
 * <pre>{@code
 * try {
 *     sender.send("crm", event);
 * } catch (OutboxUnavailableException away) {
 *     sendLater(event); // under the same key
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class OutboxUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutboxUnavailableException(String message) {
        super(message);
    }

    public OutboxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
