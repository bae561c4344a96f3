package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "hooks; hooks; true",
                "/hooks/; hooks; true",
                "hooks; hook; false",
                "hooks; hooks/in; false",
                "''; ''; true",
                "{tenant}/hooks; acme/hooks; true",
                "{tenant}/hooks; a/b/hooks; false",
                "{tenant: .*}/hooks; a/b/hooks; true",
                "{id: [0-9]{3}}; 123; true",
                "{id: [0-9]{3}}; 1234; false",
                "{id: a|b}x; ax; true",
                "{id: a|b}x; a; false",
                "a.b; axb; false",
                "a b; a%20b; true",
                "{name}; a%2Fb; true",
                "a+b; a+b; true"
            })
    void aTemplateMatchesAPartOfAPath(String path, String part, boolean matches) {
        assertThat(PathPattern.of(path).matches(part)).isEqualTo(matches);
    }

    @Test
    void moreLiteralCharactersCountThenMoreParametersThenMoreRegularExpressions() {
        List<PathPattern> inOrder = Stream.of("hooks{a}", "hook{a}{b}", "hook{a: x}", "hook{a}")
                .map(PathPattern::of)
                .toList();
        assertThat(inOrder.stream().sorted(PathPattern.PRECEDENCE)).containsExactlyElementsOf(inOrder);
    }
}
