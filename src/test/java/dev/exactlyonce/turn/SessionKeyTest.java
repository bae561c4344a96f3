package dev.exactlyonce.turn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SessionKeyTest {
    @Test
    void printableCharactersStayAsTheyAre() {
        assertThat(SessionKey.of("session:alice").value()).isEqualTo("session:alice");
    }

    @Test
    void whatWouldBeAHashTagOrABlankIsEscaped() {
        assertThat(SessionKey.of("a b{c}%\u00e9").value()).isEqualTo("a%20b%7Bc%7D%25%C3%A9");
    }

    @Test
    void aLongSessionIsHashed() {
        assertThat(SessionKey.of("x".repeat(201)).value()).matches("sha256-[0-9a-f]{64}");
        assertThat(SessionKey.of("x".repeat(200)).value()).hasSize(200);
    }

    @Test
    void differentSessionsHaveDifferentNames() {
        List<String> sessions = List.of("a b", "a%20b", "a{b", "a%7Bb", "x".repeat(201), "x".repeat(202));
        assertThat(sessions.stream().map(it -> SessionKey.of(it).value()).distinct())
                .hasSameSizeAs(sessions);
        String digest = SessionKey.of("x".repeat(201)).value();
        assertThat(Stream.of(digest, "x".repeat(201))
                        .map(it -> SessionKey.of(it).value())
                        .distinct())
                .hasSize(2);
    }
}
