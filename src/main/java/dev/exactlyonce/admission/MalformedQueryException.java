package dev.exactlyonce.admission;

/** A request's query cannot be read. The message names what was looked for, never what was sent. */
public final class MalformedQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedQueryException(String message) {
        super(message);
    }

    /** It is the sender's fault and may come often. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
