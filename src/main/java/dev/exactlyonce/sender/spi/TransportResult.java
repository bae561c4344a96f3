package dev.exactlyonce.sender.spi;

import java.util.Optional;

/** What the transport returns of one attempt.
 *
 * @since 0.1.0
 */
public sealed interface TransportResult {
    /**
     * The receiver answered.
     *
     * @param retryAfter the header as it came; empty without one
     */
    record Status(int status, Optional<String> retryAfter) implements TransportResult {}

    /** There was no answer. */
    record None(TransportFailure failure) implements TransportResult {}

    /** Why there was none. */
    enum TransportFailure {
        /** The name was not resolved. */
        DNS(true),
        /** No connection: refused, unreachable, or not within the time. */
        CONNECT(true),
        /** The TLS handshake failed, or the certificate is not the host's. */
        TLS(true),
        /** No answer within the time, or the connection ended before it: the event may have been taken. */
        NO_ANSWER(true),
        /** The host's addresses are all private, link-local or otherwise not to be called; that will not change. */
        ADDRESS_REFUSED(false);

        private final boolean passes;

        TransportFailure(boolean passes) {
            this.passes = passes;
        }

        /** Whether another attempt may find it gone. */
        public boolean passes() {
            return passes;
        }
    }
}
