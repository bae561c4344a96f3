package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import java.time.Duration;
import java.util.Optional;

/**
 * Dead letters beside the event queue that they come from and are replayed into; another store can take them over.
 *
 * @since 0.1.0
 */
public interface LocalDeadLetters extends DeadLetterStore {
    /**
     * Forgets an entry but for its key, since another store has it. False when it is no longer as it was read, because it
     * was replayed or discarded in the meantime: then nothing changed.
     *
     * @param letter as this store returned it
     */
    boolean moved(DeadLetter letter);

    /**
     * As {@link #replay}, of an entry that another store has: the event waits here under its key, with its history. An event
     * of that key that is here in any state but moved stays as it is.
     *
     * @return never {@code UNKNOWN}; {@code ALREADY_REPLAYED} when the key is here
     */
    DeadLetters.Replay restore(DeadLetter letter, Optional<Duration> window);
}
