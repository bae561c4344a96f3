package dev.exactlyonce.turn;

import java.time.Duration;

/** The answer to a request for a session. */
public sealed interface TakeReply {
    /** The session is held by the request. */
    record Taken(long fence) implements TakeReply {}

    /**
     * Another one holds the session or comes first.
     *
     * @param askAgain after this time at the latest: the holder's TTL ends then, unless it is renewed
     */
    record Queued(Duration askAgain) implements TakeReply {}
}
