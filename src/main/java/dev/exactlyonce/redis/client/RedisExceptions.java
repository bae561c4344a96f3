package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.RedisFailure;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoScriptException;

/** Converts failures of Redis to the exception of the store's callers. */
public final class RedisExceptions {
    public static final String CLOSED = RedisFailure.CLOSED;
    public static final String LATE = RedisFailure.LATE;

    private RedisExceptions() {}

    public static StoreUnavailableException tooFewReplicas() {
        return new StoreUnavailableException("fewer replicas of Redis have the write than wait-replicas asks for");
    }

    /** @throws RuntimeException the failure itself, where it is not a failure of Redis but a fault of this module */
    public static StoreUnavailableException of(Throwable failure) {
        if (failure instanceof StoreUnavailableException named) {
            return named;
        }
        String kind = kind(failure);
        if (kind != null) {
            return new StoreUnavailableException(kind);
        }
        if (failure instanceof RuntimeException fault) {
            throw fault;
        }
        if (failure instanceof Error fault) {
            throw fault;
        }
        return new StoreUnavailableException("Redis failed");
    }

    /** As {@link RedisFailure#of}. */
    public static @Nullable String kind(Throwable failure) {
        return RedisFailure.of(failure);
    }

    public static boolean isUnknownScript(@Nullable Throwable failure) {
        return failure instanceof RedisNoScriptException;
    }

    /** Whether a slot on its way to another master does not take a command with several keys. */
    public static boolean isSlotOnTheMove(@Nullable Throwable failure) {
        return failure != null && "TRYAGAIN".equals(RedisFailure.word(cause(failure)));
    }

    /** Whether scripts, or something else that the command needs, are not permitted, or unknown to the server. */
    public static boolean isForbidden(@Nullable Throwable failure) {
        Throwable why = failure == null ? null : cause(failure);
        return why instanceof RedisException
                && ("NOPERM".equals(RedisFailure.word(why))
                        || (why.getMessage() != null && why.getMessage().startsWith("ERR unknown command")));
    }

    public static boolean isOfReplica(Throwable failure) {
        String word = RedisFailure.word(failure);
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
