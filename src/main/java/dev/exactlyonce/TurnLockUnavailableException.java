package dev.exactlyonce;

/**
 * The backend of the turn lock is unavailable, and {@code exactlyonce.on-outage} is {@code reject}. Nothing is held.
 *
 * <pre>{@code
 * try (Turn turn = turns.take("order:4711")) {
 *     ship(order);
 * } catch (TurnLockUnavailableException outage) {
 *     later(order);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TurnLockUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TurnLockUnavailableException(String message) {
        super(message);
    }
}
