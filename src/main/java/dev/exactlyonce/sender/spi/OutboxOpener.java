package dev.exactlyonce.sender.spi;

import java.util.Optional;

/**
 * Opens the outbox of another process, for the command line; found by {@link java.util.ServiceLoader}.
 *
 * @since 0.1.0
 */
public interface OutboxOpener {
    /**
     * Opens an outbox that exists; makes none.
     *
     * @param where the path of a file, or a JDBC URL
     * @return empty when it is not an outbox of this opener's kind
     * @throws IllegalArgumentException when there is no outbox
     */
    Optional<Outbox> open(String where);
}
