package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.spi.TransportResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How an answer is judged.
 *
 * <table>
 * <caption>The status table</caption>
 * <tr><td>2xx</td><td>delivered</td></tr>
 * <tr><td>408, 425, 429, 5xx; 409 with {@code Retry-After}: a receiver that still runs the event</td><td>again</td></tr>
 * <tr><td>no answer, no connection, no address, no TLS handshake</td><td>again</td></tr>
 * <tr><td>410</td><td>dead, and nothing more is sent there</td></tr>
 * <tr><td>any other 4xx, 3xx (never followed), 1xx; an address that must not be called</td><td>dead</td></tr>
 * </table>
 *
 * {@code Retry-After} counts on 409, 429 and 503; what cannot be read as one does not.
 *
 * @param word the status, or why there was none; for history and logs
 * @param retryAfter what the receiver asked for, from now; zero when it asked for nothing
 */
record ResponseClassifier(ResponseKind kind, String word, Duration retryAfter) {
    enum ResponseKind {
        DELIVERED,
        AGAIN,
        DEAD,
        /** Dead, and the endpoint is disabled: 410 says that it is gone for good (RFC 9110, section 15.5.11). */
        GONE
    }

    static ResponseClassifier of(TransportResult answer, Instant now) {
        if (answer instanceof TransportResult.Status it) {
            Optional<Duration> asked = it.retryAfter().flatMap(text -> RetryAfter.parse(text, now));
            boolean counts = it.status() == 409 || it.status() == 429 || it.status() == 503;
            return new ResponseClassifier(
                    kind(it.status(), asked.isPresent()),
                    Integer.toString(it.status()),
                    asked.filter(any -> counts).orElse(Duration.ZERO));
        }
        TransportResult.TransportFailure trouble = ((TransportResult.None) answer).trouble();
        return new ResponseClassifier(
                trouble.passes() ? ResponseKind.AGAIN : ResponseKind.DEAD,
                trouble.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                Duration.ZERO);
    }

    private static ResponseKind kind(int status, boolean isToldWhen) {
        return switch (status) {
            case 408, 425, 429 -> ResponseKind.AGAIN;
            case 409 -> isToldWhen ? ResponseKind.AGAIN : ResponseKind.DEAD;
            case 410 -> ResponseKind.GONE;
            default -> {
                if (status >= 200 && status < 300) {
                    yield ResponseKind.DELIVERED;
                }
                yield status >= 500 && status < 600 ? ResponseKind.AGAIN : ResponseKind.DEAD;
            }
        };
    }

    /**
     * Whether the endpoint is there: one that refuses an event, or still runs it, is. What it cannot take now, and no
     * answer, counts against it.
     */
    boolean isOfALivingEndpoint() {
        return kind != ResponseKind.AGAIN || word.equals("409") || word.equals("425");
    }
}
