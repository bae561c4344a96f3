package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BindingTest {
    private static Binding binding(String source, String template) {
        return new Binding(
                source, Optional.empty(), "POST", new Binding.Paths(template, "", Set.of(template), Set.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "/, /hooks/{id}, POST/hooks/{id}",
        "/app/, /hooks, POST/app/hooks",
        "/app, /hooks, POST/app/hooks",
        "/app/api//, /hooks, POST/app/api/hooks"
    })
    void theEndpointIsMethodBasePathAndTemplate(String base, String template, String endpoint) {
        assertThat(binding("github", template).endpoint(base, template)).isEqualTo(endpoint);
    }

    @Test
    void aResourceAtTheRootHasAnEndpointToo() {
        assertThat(binding("github", "").endpoint("/", "")).isEqualTo("POST");
        assertThat(binding("github", "").endpoint("/app/", "")).isEqualTo("POST/app");
    }

    @Test
    void aSourceInBracesIsAPathParameter() {
        assertThat(binding("{source}", "/{source}").sourceParameter()).contains("source");
        assertThat(binding("github", "/{source}").sourceParameter()).isEmpty();
        assertThat(binding("{source", "/{source}").sourceParameter()).isEmpty();
    }
}
