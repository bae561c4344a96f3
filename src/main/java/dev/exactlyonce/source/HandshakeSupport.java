package dev.exactlyonce.source;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What a handshake needs of its source.
 *
 * @param hmac the hexadecimal HMAC of a text under the source's secret
 * @param confirm calls the address that confirms a subscription; false where that is not wanted, not allowed or failed
 */
public record HandshakeSupport(UnaryOperator<String> hmac, Predicate<String> confirm) {}
