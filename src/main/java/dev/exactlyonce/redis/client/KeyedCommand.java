package dev.exactlyonce.redis.client;

import java.util.List;
import org.redisson.client.protocol.RedisCommand;

/**
 * A command for the master of a key.
 *
 * @param isRepeatable whether an answer is as true when an earlier attempt, whose reply is lost, has been applied
 */
public record KeyedCommand(String key, RedisCommand<?> command, List<Object> arguments, boolean isRepeatable) {
    public KeyedCommand {
        arguments = List.copyOf(arguments);
    }

    /** One that may be sent twice. */
    public static KeyedCommand repeatable(String key, RedisCommand<?> command, Object... arguments) {
        return new KeyedCommand(key, command, List.of(arguments), true);
    }

    QueuedCommand queued(boolean asking) {
        return new QueuedCommand(command, arguments.toArray(), asking);
    }
}
