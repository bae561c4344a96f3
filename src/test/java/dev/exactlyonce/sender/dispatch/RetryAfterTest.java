package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "007, 7", "'  120 ', 120", "999999999, 999999999"})
    void secondsAreRead(String header, long seconds) {
        assertThat(RetryAfter.parse(header, NOW)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                " Sun, 06 Nov 1994 08:49:37 GMT\t"
            })
    void allThreeFormsOfADateAreRead(String header) {
        assertThat(RetryAfter.parse(header, NOW)).contains(Duration.ofSeconds(30));
    }

    /** Such an instant has no milliseconds, and could not be written down. */
    @ParameterizedTest
    @ValueSource(strings = {"Fri, 01 Jan +999999999 00:00:00 GMT", "Fri Jan  1 00:00:00 +999999999"})
    void aYearHasFourDigits(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Thu, 29 Feb 1996 00:00:00 GMT | 1996-02-29T00:00:00Z",
                "Thursday, 29-Feb-96 00:00:00 GMT | 1996-02-29T00:00:00Z",
                "Thu Feb 29 00:00:00 1996 | 1996-02-29T00:00:00Z",
                "Sun Nov 13 08:49:37 1994 | 1994-11-13T08:49:37Z"
            })
    void aDateIsReadToTheDay(String header, Instant then) {
        assertThat(RetryAfter.parse(header, NOW)).contains(Duration.between(NOW, then));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:07 GMT",
                "Sat, 05 Nov 1994 08:49:37 GMT",
                "Saturday, 05-Nov-94 08:49:37 GMT",
                "Sat Nov  5 08:49:37 1994",
                "Thu, 01 Jan 1970 00:00:00 GMT"
            })
    void aDateOfThePastIsNow(String header) {
        assertThat(RetryAfter.parse(header, NOW)).contains(Duration.ZERO);
    }

    /** RFC 9110, section 5.6.7: more than 50 years ahead is of the past. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Friday, 06-Mar-26 00:00:00 GMT | 2026-03-06T00:00:00Z",
                "Wednesday, 06-Mar-75 00:00:00 GMT | 2075-03-06T00:00:00Z",
                "Sunday, 06-Mar-77 00:00:00 GMT | 1977-03-06T00:00:00Z",
                "Saturday, 06-Mar-99 00:00:00 GMT | 1999-03-06T00:00:00Z"
            })
    void twoDigitsAreAYearAtMostFiftyAhead(String header, Instant then) {
        Instant now = Instant.parse("2026-03-01T00:00:00Z");
        Duration expected = then.isAfter(now) ? Duration.between(now, then) : Duration.ZERO;

        assertThat(RetryAfter.parse(header, now)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "+1",
                "1.5",
                "1,5",
                "1e3",
                "0x10",
                "١٢",
                "60s",
                "60, 120",
                "PT1M",
                "soon",
                "1000000000",
                "99999999999999999999999999",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 06 Nov 1994 08:49:37 CET",
                "Sun, 06 Nov 1994 08:49:37 +0000",
                "Mon, 06 Nov 1994 08:49:37 GMT",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 94 08:49:37 GMT",
                "Sun, 06 Nov 1994 25:49:37 GMT",
                "Mon, 31 Feb 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:00:00 GMT",
                "Son, 06 Nov 1994 08:49:37 GMT",
                "1994-11-06T08:49:37Z"
            })
    void anythingElseIsAsIfItWereNotThere(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isEmpty();
    }
}
