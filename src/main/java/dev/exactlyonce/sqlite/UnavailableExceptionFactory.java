package dev.exactlyonce.sqlite;

import org.jspecify.annotations.Nullable;

/** How a room tells its callers that its file is not there: in an exception of its own. */
@FunctionalInterface
public interface UnavailableExceptionFactory {
    /** @param message without path, key or payload; the cause's may hold the path */
    RuntimeException of(String message, @Nullable Throwable cause);
}
