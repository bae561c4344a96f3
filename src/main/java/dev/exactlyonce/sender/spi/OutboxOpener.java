package dev.exactlyonce.sender.spi;

import java.util.Optional;

/** Opens the outbox of another process, for {@link ReplayDlq}: a service that a room with an outbox provides. */
public interface OutboxOpener {
    /**
     * Opens an outbox that exists; makes none.
     *
     * @param where the path of a file, or a JDBC URL
     * @return empty when it is none of this opener's
     * @throws IllegalArgumentException when there is no outbox
     */
    Optional<Outbox> open(String where);
}
