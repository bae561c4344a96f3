package dev.exactlyonce.sender;

import java.util.regex.Pattern;

/**
 * Identifies an event to its receivers, the same in every attempt and every replay: {@code Idempotency-Key} and {@code
 * webhook-id}.
 *
 * <pre>{@code
 * EventKey key = new EventKey("order-17:paid"); // EventRun numbers the events of a run
 * }</pre>
 *
 * @param value 1 to 200 printable ASCII characters without blanks; no {@code .}, since what Standard Webhooks signs is
 *     {@code <id>.<timestamp>.<body>}
 * @since 0.1.0
 */
public record EventKey(String value) {
    private static final Pattern VALUE = Pattern.compile("[!-~&&[^.]]{1,200}");

    /** @throws IllegalArgumentException for any other value */
    public EventKey {
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "an event's key is 1 to 200 printable ASCII characters without blanks and without '.'");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
