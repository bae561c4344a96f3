package dev.exactlyonce.signature;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a sender writes when it signed. Each is strict, and none begins as another of its kind: what is signed behind a time
 * cannot be taken for a part of it.
 */
public enum TimestampFormat {
    /** Since 1970, in whole seconds: ten digits, from 2001 to 2286. */
    SECONDS(ChronoUnit.SECONDS, "[0-9]{10}") {
        @Override
        Instant read(String text) {
            return Instant.ofEpochSecond(Long.parseLong(text));
        }
    },
    /** Since 1970, in whole milliseconds: thirteen digits. */
    MILLIS(ChronoUnit.MILLIS, "[0-9]{13}") {
        @Override
        Instant read(String text) {
            return Instant.ofEpochMilli(Long.parseLong(text));
        }
    },
    /** Either of the two: of a sender that has changed from one to the other. Only where a separator follows. */
    SECONDS_OR_MILLIS(ChronoUnit.SECONDS, "[0-9]{10}([0-9]{3})?") {
        @Override
        Instant read(String text) {
            return text.length() > 10 ? MILLIS.read(text) : SECONDS.read(text);
        }
    },
    /** RFC 3339. */
    RFC3339(
            ChronoUnit.MILLIS,
            "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})") {
        @Override
        Instant read(String text) {
            return OffsetDateTime.parse(text).toInstant();
        }
    };

    private final ChronoUnit precision;
    private final Pattern pattern;

    TimestampFormat(ChronoUnit precision, String pattern) {
        this.precision = precision;
        this.pattern = Pattern.compile(pattern);
    }

    /** Those that a source may choose by itself. */
    public static TimestampFormat[] offered() {
        return new TimestampFormat[] {SECONDS, MILLIS, RFC3339};
    }

    /** @throws DateTimeException when the text has the form of a time and is none */
    abstract Instant read(String text);

    /** Nothing when the text is not of this format. */
    Optional<Instant> parse(String text) {
        try {
            return pattern.matcher(text).matches() ? Optional.of(read(text)) : Optional.empty();
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }

    /** The time in the resolution of this format, so that an edge is one. */
    Instant cut(Instant now) {
        return now.truncatedTo(precision);
    }
}
