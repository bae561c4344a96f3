package dev.exactlyonce.sqlite;

import org.jspecify.annotations.Nullable;

/** Makes the exception with which a package reports to its callers that its file is unavailable. */
@FunctionalInterface
public interface UnavailableExceptionFactory {
    /** @param message without path, key or payload; the cause's may hold the path */
    RuntimeException of(String message, @Nullable Throwable cause);
}
