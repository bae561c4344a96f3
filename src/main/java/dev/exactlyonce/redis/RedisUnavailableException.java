package dev.exactlyonce.redis;

/** Redis could not be reached. The message is one of {@link RedisFailure}'s: it contains no address and no key. */
public final class RedisUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RedisUnavailableException(String message) {
        super(message);
    }
}
