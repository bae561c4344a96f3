package dev.exactlyonce.signature;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/** How a sender writes when it signed. Numbers are strict: ASCII digits and nothing else. */
public enum TimestampFormat {
    /** Since 1970, in whole seconds. */
    SECONDS(ChronoUnit.SECONDS),
    /** Since 1970, in whole milliseconds. */
    MILLIS(ChronoUnit.MILLIS),
    /** RFC 3339. */
    RFC3339(ChronoUnit.MILLIS);

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,15}");
    private static final int LONGEST = 40;

    private final ChronoUnit precision;

    TimestampFormat(ChronoUnit precision) {
        this.precision = precision;
    }

    /** Nothing when the text is not of this format. */
    Optional<Instant> parse(String text) {
        if (this == RFC3339) {
            try {
                return text.length() > LONGEST
                        ? Optional.empty()
                        : Optional.of(OffsetDateTime.parse(text).toInstant());
            } catch (DateTimeException malformed) {
                return Optional.empty();
            }
        }
        if (!DIGITS.matcher(text).matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(text);
        return Optional.of(this == SECONDS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number));
    }

    /** The time as finely as this format tells it, so that an edge is one. */
    Instant cut(Instant now) {
        return now.truncatedTo(precision);
    }
}
