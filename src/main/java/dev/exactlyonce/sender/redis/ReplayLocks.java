package dev.exactlyonce.sender.redis;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.sender.OutboxUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.redisson.api.RBucket;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Beside an entry that is being replayed, or was, {@code {prefix}dlq:{id}} for a time: so that of many replicas one replays
 * it, and others are refused. Every method throws {@link OutboxUnavailableException}, and then may have done its work or
 * not. Thread-safe.
 */
final class ReplayLocks {
    /** The content of a mark whose entry is in an outbox again. */
    static final String REPLAYED = "replayed";

    /** A replay takes less, unless its replica is suspended. */
    private static final Duration STAYS = Duration.ofSeconds(60);

    private static final Duration REPLAYED_STAYS = Duration.ofHours(24);

    private final DeadLetterClient connection;
    private final String prefix;

    ReplayLocks(DeadLetterClient connection, RedisSettings settings) {
        this.connection = connection;
        this.prefix = settings.prefix() + "dlq:";
    }

    private RBucket<String> bucket(RedissonClient client, String id) {
        return client.getBucket(prefix + id, StringCodec.INSTANCE);
    }

    /**
     * Marks the entry for the first caller, for a minute; the caller's own mark is renewed.
     *
     * @return the content of the mark: mine, or another's
     */
    String set(String id, String mine) {
        if (connection.call(client -> bucket(client, id).setIfAbsentAsync(mine, STAYS))) {
            return mine;
        }
        String there = get(id).orElse("");
        if (there.equals(mine)) { // of an earlier call whose reply was lost
            connection.call(client -> bucket(client, id).setAsync(mine, STAYS).thenApply(it -> true));
        }
        return there;
    }

    Optional<String> get(String id) {
        return connection.call(client -> bucket(client, id).getAsync().thenApply(Optional::ofNullable));
    }

    void setReplayed(String id) {
        connection.call(
                client -> bucket(client, id).setAsync(REPLAYED, REPLAYED_STAYS).thenApply(it -> true));
    }

    void remove(String id) {
        connection.call(client -> bucket(client, id).deleteAsync());
    }
}
