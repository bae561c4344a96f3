package dev.exactlyonce.sender.http;

import dev.exactlyonce.sender.Endpoint;
import java.time.Duration;

/**
 * How long is waited for what.
 *
 * @param toConnect from the start of an attempt until the request leaves: lookup, connection and TLS handshake together
 * @param forAnswer from the start of an attempt to the last byte that is read
 * @param unchecked how long a kept connection may lie idle and still be used without asking whether the receiver has
 *     closed it; asking takes a millisecond
 */
record TransportTimeouts(Duration toConnect, Duration forAnswer, Duration unchecked) {
    static final TransportTimeouts DEFAULT =
            new TransportTimeouts(Endpoint.CONNECT_WITHIN, Endpoint.ANSWER_WITHIN, Duration.ofSeconds(1));

    TransportTimeouts {
        if (toConnect.isNegative() || toConnect.isZero() || toConnect.compareTo(forAnswer) > 0) {
            throw new IllegalArgumentException(
                    "the time to connect is > 0 and at most that for the answer, was " + toConnect);
        }
    }
}
