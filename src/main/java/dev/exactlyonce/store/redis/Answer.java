package dev.exactlyonce.store.redis;

import dev.exactlyonce.admission.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command.
 *
 * @param value what Redis said; null is one of its answers
 * @param trouble why it said nothing, or nothing good; null when it did
 */
record Answer(@Nullable Object value, @Nullable Throwable trouble) {
    static Answer of(@Nullable Object value) {
        return new Answer(value, null);
    }

    static Answer failed(Throwable trouble) {
        return new Answer(null, trouble);
    }

    /** @throws StoreUnavailableException when there is trouble */
    @Nullable
    Object orThrow() {
        if (trouble != null) {
            throw Trouble.of(trouble);
        }
        return value;
    }
}
