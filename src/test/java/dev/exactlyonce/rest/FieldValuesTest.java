package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldValuesTest {
    @Test
    void theBlanksAndTabsAroundAValueAreNoPartOfIt() {
        for (String sent : List.of("abc", "abc ", "abc\t", " abc", "\t abc \t ")) {
            assertThat(FieldValues.trimmed(sent)).isEqualTo("abc");
        }
        assertThat(FieldValues.trimmed("a \tc ")).isEqualTo("a \tc");
        assertThat(FieldValues.trimmed(" \t ")).isEmpty();
        assertThat(FieldValues.trimmed("")).isEmpty();
    }

    @Test
    void anyOtherWhitespaceIsPartOfAValue() {
        for (String sent : List.of("a\u00a0", "\u2003a", "a\u000b", "\na")) {
            assertThat(FieldValues.trimmed(sent)).isEqualTo(sent);
        }
    }

    @Test
    void fieldLinesStayApartAndCommasHaveNoMeaning() {
        Map<String, List<String>> headers = Map.of("a", List.of(" 1 , 2 ", "", "3\t"));
        assertThat(FieldValues.of(headers, "a")).containsExactly("1 , 2", "", "3");
        assertThat(FieldValues.of(headers, "b")).isEmpty();
    }
}
