package dev.exactlyonce.redis.client;

import dev.exactlyonce.spi.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command.
 *
 * @param value what Redis said; null is one of its answers
 * @param trouble why it said nothing, or nothing good; null when it did
 */
public record CommandReply(@Nullable Object value, @Nullable Throwable trouble) {
    public static CommandReply of(@Nullable Object value) {
        return new CommandReply(value, null);
    }

    public static CommandReply failed(Throwable trouble) {
        return new CommandReply(null, trouble);
    }

    /** @throws StoreUnavailableException when there is trouble */
    public @Nullable Object orThrow() {
        if (trouble != null) {
            throw RedisExceptions.of(trouble);
        }
        return value;
    }
}
