package dev.exactlyonce;

/**
 * A session was not free within the time to wait. Nothing is held.
 *
 * <pre>{@code
 * try (Turn turn = turns.take("order:4711", Duration.ofSeconds(1))) {
 *     ship(order);
 * } catch (TurnTimeoutException busy) {
 *     later(order);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TurnTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TurnTimeoutException(String message) {
        super(message);
    }
}
