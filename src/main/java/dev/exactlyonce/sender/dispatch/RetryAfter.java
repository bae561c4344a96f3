package dev.exactlyonce.sender.dispatch;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads {@code Retry-After}: seconds, or an HTTP date in any of the three forms that a recipient must take (RFC 9110,
 * sections 5.6.7 and 10.2.3). Anything else is as if it were not there. Apache HttpClient 5.6's own parser reads the first
 * form alone, and this package knows no client.
 */
final class RetryAfter {
    /** More digits than a wait of 30 years has. */
    private static final int MOST_DIGITS = 9;

    /** {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
    private static final DateTimeFormatter IMF_FIXDATE = withYear("EEE, dd MMM ", " HH:mm:ss 'GMT'");

    /** {@code Sun Nov  6 08:49:37 1994}. */
    private static final DateTimeFormatter ASCTIME = withYear("EEE MMM ppd HH:mm:ss ", "");

    private RetryAfter() {}

    /** A year has four digits; the pattern's own would also take {@code +999999999}, which no millisecond reaches. */
    private static DateTimeFormatter withYear(String before, String after) {
        return new DateTimeFormatterBuilder()
                .appendPattern(before)
                .appendValue(ChronoField.YEAR, 4)
                .appendPattern(after)
                .toFormatter(Locale.ENGLISH);
    }

    /** How long to wait from now; not negative. */
    static Optional<Duration> parse(String header, Instant now) {
        String text = header.strip();
        if (!text.isEmpty() && text.chars().allMatch(it -> it >= '0' && it <= '9')) {
            return text.length() > MOST_DIGITS
                    ? Optional.empty()
                    : Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        return List.of(IMF_FIXDATE, rfc850(now), ASCTIME).stream()
                .flatMap(it -> date(text, it).stream())
                .findFirst()
                .map(it -> it.isAfter(now) ? Duration.between(now, it) : Duration.ZERO);
    }

    /** {@code Sunday, 06-Nov-94 08:49:37 GMT}; a year that seems over 50 years ahead is of the past (section 5.6.7). */
    private static DateTimeFormatter rfc850(Instant now) {
        int thisYear = now.atOffset(ZoneOffset.UTC).getYear();
        return new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, thisYear - 49)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ENGLISH);
    }

    private static Optional<Instant> date(String text, DateTimeFormatter form) {
        try {
            return Optional.of(LocalDateTime.parse(text, form.withResolverStyle(ResolverStyle.STRICT))
                    .toInstant(ZoneOffset.UTC));
        } catch (DateTimeException otherForm) {
            return Optional.empty();
        }
    }
}
