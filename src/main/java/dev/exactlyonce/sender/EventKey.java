package dev.exactlyonce.sender;

import java.util.regex.Pattern;

/**
 * What a receiver tells an event by, the same in every attempt and every replay: {@code Idempotency-Key} and {@code
 * webhook-id}.
 *
 * @param value 1 to 200 printable ASCII characters without blanks; no {@code .}, since what Standard Webhooks signs is
 *     {@code <id>.<timestamp>.<body>}
 */
public record EventKey(String value) {
    private static final Pattern VALUE = Pattern.compile("[!-~&&[^.]]{1,200}");

    /** @throws IllegalArgumentException as {@code value} tells */
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
