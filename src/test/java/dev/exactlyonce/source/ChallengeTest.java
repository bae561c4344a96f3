package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.Reply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChallengeTest {
    private static final Challenge META = new Challenge(Challenge.ChallengeKind.META, "typed in");
    private static final Challenge DROPBOX = new Challenge(Challenge.ChallengeKind.DROPBOX, "");

    private static Optional<Reply> ask(Challenge challenge, Map<String, String> query) {
        return challenge.answer(name -> query.containsKey(name) ? List.of(query.get(name)) : List.of());
    }

    private static Map<String, String> subscribe(String token, String challenge) {
        return Map.of("hub.mode", "subscribe", "hub.verify_token", token, "hub.challenge", challenge);
    }

    @Test
    void metaGetsItsChallengeBackForItsTokenAlone() {
        assertThat(ask(META, subscribe("typed in", "1158201444")))
                .contains(new Reply("challenge", 200, "text/plain", "1158201444"));
        assertThat(ask(META, subscribe("other", "1158201444")))
                .map(Reply::status)
                .contains(403);
        assertThat(ask(META, Map.of("hub.mode", "subscribe", "hub.challenge", "1")))
                .map(Reply::status)
                .contains(403);
    }

    @Test
    void dropboxGetsItsChallengeBack() {
        assertThat(ask(DROPBOX, Map.of("challenge", "Abc-123_")))
                .contains(new Reply("challenge", 200, "text/plain", "Abc-123_"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<script>", "a b", "\u00e4", "a\r\nSet-Cookie:x", ""})
    void whatCouldBeADocumentIsNotEchoed(String challenge) {
        assertThat(ask(DROPBOX, Map.of("challenge", challenge)))
                .map(Reply::status)
                .contains(403);
        assertThat(ask(META, subscribe("typed in", challenge)))
                .map(Reply::status)
                .contains(403);
    }

    @Test
    void noPresetsChallengeEchoesACharacterOutsideItsAlphabet() {
        for (Challenge.ChallengeKind kind : Challenge.ChallengeKind.values()) {
            for (char c = 0; c < 0x300; c++) {
                String challenge = "a" + c + "b";
                boolean isOfIt = challenge.matches("[A-Za-z0-9_-]{3}");
                Map<String, String> query = new java.util.HashMap<>(subscribe("typed in", challenge));
                query.put("challenge", challenge);
                assertThat(ask(new Challenge(kind, "typed in"), query))
                        .map(Reply::status)
                        .contains(isOfIt ? 200 : 403);
            }
        }
    }

    @Test
    void anyOtherQueryIsNoChallenge() {
        assertThat(ask(META, Map.of("challenge", "1"))).isEmpty();
        assertThat(ask(DROPBOX, Map.of("hub.mode", "subscribe"))).isEmpty();
    }
}
