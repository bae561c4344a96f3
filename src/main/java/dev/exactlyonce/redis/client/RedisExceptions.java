package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.RedisFailure;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoScriptException;

/** What a trouble with Redis means to the store's callers. */
public final class RedisExceptions {
    public static final String CLOSED = RedisFailure.CLOSED;
    public static final String LATE = RedisFailure.LATE;

    private RedisExceptions() {}

    public static StoreUnavailableException tooFewReplicas() {
        return new StoreUnavailableException("fewer replicas of Redis have the write than wait-replicas asks for");
    }

    /** @throws RuntimeException the trouble itself, where it is no trouble with Redis but a fault of ours */
    public static StoreUnavailableException of(Throwable trouble) {
        if (trouble instanceof StoreUnavailableException named) {
            return named;
        }
        String kind = kind(trouble);
        if (kind != null) {
            return new StoreUnavailableException(kind);
        }
        if (trouble instanceof RuntimeException fault) {
            throw fault;
        }
        if (trouble instanceof Error fault) {
            throw fault;
        }
        return new StoreUnavailableException("Redis failed");
    }

    /** As {@link RedisFailure#of}. */
    public static @Nullable String kind(Throwable trouble) {
        return RedisFailure.of(trouble);
    }

    public static boolean isUnknownScript(@Nullable Throwable trouble) {
        return trouble instanceof RedisNoScriptException;
    }

    /** Whether scripts, or whatever the command needed, are not permitted; or not even known to the server. */
    public static boolean isForbidden(@Nullable Throwable trouble) {
        Throwable why = trouble == null ? null : cause(trouble);
        return why instanceof RedisException
                && ("NOPERM".equals(RedisFailure.word(why))
                        || (why.getMessage() != null && why.getMessage().startsWith("ERR unknown command")));
    }

    public static boolean isOfReplica(Throwable trouble) {
        String word = RedisFailure.word(trouble);
        return "READONLY".equals(word) || "MASTERDOWN".equals(word);
    }

    /** What a future's failure is about. */
    public static Throwable cause(Throwable thrown) {
        Throwable it = thrown;
        while ((it instanceof ExecutionException || it instanceof CompletionException) && it.getCause() != null) {
            it = it.getCause();
        }
        return it;
    }
}
