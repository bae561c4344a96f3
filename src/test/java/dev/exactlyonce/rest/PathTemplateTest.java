package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTemplateTest {
    @ParameterizedTest
    @CsvSource({
        "hooks, in, /hooks/in",
        "/hooks/, /in/, /hooks/in",
        "'', in, /in",
        "hooks, '', /hooks",
        "/, /, ''",
        "'', '', ''",
        "//hooks//, in, /hooks/in",
        "/a/b, c/d, /a/b/c/d"
    })
    void pathsAreJoinedByOneSlash(String ofClass, String ofMethod, String text) {
        assertThat(PathTemplate.of(ofClass, ofMethod).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{id}; /{id}",
                "{ id }; /{id}",
                "{id: [0-9]+}; /{id}",
                "{id:[0-9]{3}}/x; /{id}/x",
                "{id : a{1,2}(b{3}){4}}-{rest: .*}; /{id}-{rest}",
                "v{major}.{minor:\\d+}; /v{major}.{minor}",
                "{time: [0-9]{2}:[0-9]{2}}; /{time}",
                "{path: a/b/}; /{path}"
            })
    void regularExpressionsAreLeftOutAlsoWithBracesInside(String path, String text) {
        assertThat(PathTemplate.of(path).text()).isEqualTo(text);
    }

    @Test
    void parametersOfClassAndMethodAreKnownInOrder() {
        assertThat(PathTemplate.of("{source}", "{b: x{2}}/{a}").parameters()).containsExactly("source", "b", "a");
        assertThat(PathTemplate.of("hooks").parameters()).isEmpty();
    }

    @Test
    void aParameterThatStandsThereTwiceIsKnownTwice() {
        assertThat(PathTemplate.of("{id}", "in/{id: x}").parameters()).containsExactly("id", "id");
    }

    @Test
    void aTemplateIsFollowedByAnother() {
        assertThat(PathTemplate.of("orders/{tenant}").then(PathTemplate.of("hooks/{id}")))
                .isEqualTo(PathTemplate.of("orders/{tenant}/hooks/{id}"));
    }

    @Test
    void twoTemplatesThatDifferInTheirRegularExpressionAloneAreTheSameEndpoint() {
        assertThat(PathTemplate.of("{id: [0-9]+}")).isEqualTo(PathTemplate.of("{id: [a-f]{4}}"));
    }
}
