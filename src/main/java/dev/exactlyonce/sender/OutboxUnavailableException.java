package dev.exactlyonce.sender;

/** The outbox could not be reached or written. Its message holds no address and no payload. */
public final class OutboxUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutboxUnavailableException(String message) {
        super(message);
    }

    public OutboxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
