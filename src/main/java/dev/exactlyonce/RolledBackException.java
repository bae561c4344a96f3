package dev.exactlyonce;

/**
 * Work of {@link ExactlyOnceRunner} returned normally, and a transaction that the container had begun around a method of it
 * ended rolled back: its effects are undone, and its key was released.
 *
 * <pre>{@code
 * try {
 *     runner.run("billing", List.of(event.id()), () -> invoices.book(event));
 * } catch (RolledBackException rolledBack) {
 *     retryLater(event);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RolledBackException() {
        super("a transaction of this work was rolled back although its method returned normally; throw an exception"
                + " instead, or end a transaction of your own through UserTransaction");
    }
}
