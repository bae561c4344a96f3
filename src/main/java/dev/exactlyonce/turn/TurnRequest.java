package dev.exactlyonce.turn;

import java.time.Duration;

/**
 * One request for a session.
 *
 * @param token tells it from every other request
 * @param ttl how long the session is held without a renewal
 * @param longestWait the whole time to wait from its arrival, the same at each repetition; zero does not enter it among those that wait
 */
public record TurnRequest(SessionKey session, String token, Duration ttl, Duration longestWait) {}
