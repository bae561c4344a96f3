package dev.exactlyonce.redis.client;

import dev.exactlyonce.spi.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command.
 *
 * @param value what Redis replied; null is one of its replies
 * @param failure why there is no reply, or an error as the reply; null when there is a value
 */
public record CommandReply(@Nullable Object value, @Nullable Throwable failure) {
    public static CommandReply of(@Nullable Object value) {
        return new CommandReply(value, null);
    }

    public static CommandReply failed(Throwable failure) {
        return new CommandReply(null, failure);
    }

    /** @throws StoreUnavailableException when there is a failure */
    public @Nullable Object orThrow() {
        if (failure != null) {
            throw RedisExceptions.of(failure);
        }
        return value;
    }
}
