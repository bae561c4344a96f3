package dev.exactlyonce.spi;

/**
 * The store did not answer, or not in time. The operation may or may not have been applied. The message names the failure in
 * the store's own terms, and never contains an address, a path or a key.
 *
 * <pre>{@code
 * throw new StoreUnavailableException("H2 failed with " + failure.getSQLState(), failure);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public StoreUnavailableException(String message) {
        super(message);
    }
}
