package dev.exactlyonce.sender.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.sender.Attempt;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EscapedTsvTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "plain; a=b", "\\", "\\005c", "a\tb\nc\rd", "\u0000\u0085\u2028", "ü€😀", "\uD800"})
    void aFieldComesBackAsItWas(String field) {
        String text = EscapedTsv.of(field, "next") + EscapedTsv.of("x", field);

        assertThat(EscapedTsv.read(text)).containsExactly(List.of(field, "next"), List.of("x", field));
        assertThat(text).matches("[ -~\t\n]*");
    }

    @Test
    void noLinesAreNoRecords() {
        assertThat(EscapedTsv.read("")).isEmpty();
    }

    @Test
    void plainTextStaysReadable() {
        assertThat(EscapedTsv.of("2", "at", "503")).isEqualTo("2\tat\t503\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "\\12", "\\zzzz"})
    void aBrokenEscapeIsTold(String text) {
        assertThatThrownBy(() -> EscapedTsv.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void headersAndAttemptsComeBackAsTheyWere() {
        Map<String, String> headers = Map.of("content-type", "text/plain", "x-a", "b\tc");
        Attempt first = new Attempt(1, Instant.parse("2026-01-01T00:00:00.123456789Z"), "no-answer");
        Attempt second = new Attempt(2, Instant.EPOCH, "500");

        assertThat(Columns.headers(Columns.headers(headers))).isEqualTo(headers);
        assertThat(Columns.history(Columns.history(first) + Columns.history(second)))
                .containsExactly(first, second);
    }
}
