package dev.exactlyonce.store.redis;

import dev.exactlyonce.spi.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command.
 *
 * @param value what Redis said; null is one of its answers
 * @param trouble why it said nothing, or nothing good; null when it did
 */
record CommandReply(@Nullable Object value, @Nullable Throwable trouble) {
    static CommandReply of(@Nullable Object value) {
        return new CommandReply(value, null);
    }

    static CommandReply failed(Throwable trouble) {
        return new CommandReply(null, trouble);
    }

    /** @throws StoreUnavailableException when there is trouble */
    @Nullable
    Object orThrow() {
        if (trouble != null) {
            throw RedisExceptions.of(trouble);
        }
        return value;
    }
}
