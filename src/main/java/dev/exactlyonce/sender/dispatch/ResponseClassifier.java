package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.spi.TransportResult;
import dev.exactlyonce.sender.spi.TransportResult.TransportFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Judges what the transport returned.
 *
 * <table>
 * <caption>The status table</caption>
 * <tr><td>2xx</td><td>delivered</td></tr>
 * <tr><td>408, 425, 429, 5xx; 409 with {@code Retry-After}: a receiver that still runs the event</td><td>retried</td></tr>
 * <tr><td>no response, no connection, no address, no TLS handshake</td><td>retried</td></tr>
 * <tr><td>410</td><td>dead-lettered, and the endpoint is disabled (RFC 9110, section 15.5.11)</td></tr>
 * <tr><td>any other 4xx, 3xx (never followed), 1xx; an address that must not be called</td><td>dead-lettered</td></tr>
 * </table>
 *
 * {@code Retry-After} counts on 409, 429 and 503; one that cannot be parsed does not.
 */
final class ResponseClassifier {
    private ResponseClassifier() {}

    static boolean isDelivered(TransportResult result) {
        return result instanceof TransportResult.Status it && it.status() >= 200 && it.status() < 300;
    }

    /** Whether another attempt may succeed. */
    static boolean isRetryable(TransportResult result, Instant now) {
        if (result instanceof TransportResult.Status it) {
            return switch (it.status()) {
                case 408, 425, 429 -> true;
                case 409 -> parsed(it, now).isPresent();
                default -> it.status() >= 500 && it.status() < 600;
            };
        }
        return failure(result).passes();
    }

    /**
     * Whether the endpoint works: one that refuses an event, or still runs it, does. What it cannot take now, and no
     * response, counts against it.
     */
    static boolean isHealthy(TransportResult result, Instant now) {
        return !isRetryable(result, now)
                || (result instanceof TransportResult.Status it && (it.status() == 409 || it.status() == 425));
    }

    /** How long the receiver asks to wait, from now; zero when it does not ask. */
    static Duration retryAfter(TransportResult result, Instant now) {
        return result instanceof TransportResult.Status it
                        && (it.status() == 409 || it.status() == 429 || it.status() == 503)
                ? parsed(it, now).orElse(Duration.ZERO)
                : Duration.ZERO;
    }

    /** The status, or why there was none, for history and logs: {@code 500}, {@code dns}, {@code no-answer}. */
    static String outcome(TransportResult result) {
        return result instanceof TransportResult.Status it
                ? Integer.toString(it.status())
                : failure(result).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Optional<Duration> parsed(TransportResult.Status response, Instant now) {
        return response.retryAfter().flatMap(text -> RetryAfter.parse(text, now));
    }

    private static TransportFailure failure(TransportResult result) {
        return ((TransportResult.None) result).failure();
    }
}
