package dev.exactlyonce;

/**
 * Work of {@link ExactlyOnceRunner} returned normally, and a transaction that the container had begun around a method of it
 * ended rolled back: what it did is undone, and its key was released.
 */
public final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RolledBackException() {
        super("a transaction of this work was rolled back although its method returned normally; throw an exception"
                + " instead, or end a transaction of your own through UserTransaction");
    }
}
