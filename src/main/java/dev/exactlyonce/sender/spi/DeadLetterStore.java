package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The port behind which dead letters are kept.
 *
 * @since 0.1.0
 */
public interface DeadLetterStore extends AutoCloseable {
    /** As {@link DeadLetters#list}. */
    List<DeadLetter> list(DeadLetters.Filter filter);

    /** As {@link DeadLetters#get}. */
    Optional<DeadLetter> get(String id);

    /** As {@link DeadLetters#replay}; the entry's {@code notBefore} is when it is due, if that is still to come. */
    DeadLetters.Replay replay(String id, Optional<Duration> window);

    /** As {@link DeadLetters#discard}. */
    boolean discard(String id);

    /** Called after the event queue has written a dead letter; takes no time. */
    default void added() {}

    @Override
    void close();
}
