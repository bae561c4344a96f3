package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChallengeTest {
    private static final Challenge META = new Challenge(Challenge.ChallengeKind.META, "typed in", text -> "00ff");
    private static final Challenge DROPBOX = new Challenge(Challenge.ChallengeKind.DROPBOX, "", text -> "00ff");

    private static Optional<Reply> ask(Challenge challenge, Map<String, String> query) {
        return ask(challenge, query, Map.of()).map(Challenge.ChallengeAnswer::reply);
    }

    private static Optional<Challenge.ChallengeAnswer> ask(
            Challenge challenge, Map<String, String> query, Map<String, String> headers) {
        return challenge.answer(of(query), of(headers));
    }

    private static Function<String, List<String>> of(Map<String, String> values) {
        return name -> values.containsKey(name) ? List.of(values.get(name)) : List.of();
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

    private static Optional<Challenge.ChallengeAnswer> asked(Challenge.ChallengeKind kind, String challenge) {
        Map<String, String> query = new HashMap<>(subscribe("typed in", challenge));
        List.of("challenge", "crc_token", "challengeCode", "validationToken").forEach(it -> query.put(it, challenge));
        Map<String, String> headers = Map.of(
                "x-okta-verification-challenge",
                challenge,
                "X-Hook-Secret",
                challenge,
                "WebHook-Request-Origin",
                challenge);
        return ask(new Challenge(kind, "typed in", text -> "00ff"), query, headers);
    }

    @Test
    void noPresetsChallengeEchoesACharacterOutsideItsAlphabet() {
        for (Challenge.ChallengeKind kind : Challenge.ChallengeKind.values()) {
            String alphabet = switch (kind) {
                case GRAPH -> "[A-Za-z0-9 :.,;=+/_-]+";
                case CLOUDEVENTS -> "[A-Za-z0-9.-]+";
                default -> "[A-Za-z0-9_-]+";
            };
            for (char c = 0; c < 0x300; c++) {
                String challenge = "a" + c + "b";
                Optional<Challenge.ChallengeAnswer> answer = asked(kind, challenge);
                boolean isOfIt = challenge.matches(alphabet);
                assertThat(answer)
                        .as("%s %x", kind, (int) c)
                        .map(it -> it.reply().status())
                        .contains(isOfIt ? 200 : 403);
                String sent = answer.orElseThrow().reply().text()
                        + answer.orElseThrow().headers();
                assertThat(sent.contains(challenge))
                        .as("%s %x", kind, (int) c)
                        .isEqualTo(isOfIt && kind != Challenge.ChallengeKind.X);
            }
            assertThat(asked(kind, "a".repeat(600)))
                    .map(it -> it.reply().status())
                    .contains(403);
            assertThat(asked(kind, "")).map(it -> it.reply().status()).contains(403);
        }
    }

    @Test
    void everySenderIsAnsweredAsItAsks() {
        assertThat(asked(Challenge.ChallengeKind.OKTA, "abc"))
                .contains(answered("application/json", "{\"verification\":\"abc\"}", Map.of()));
        assertThat(asked(Challenge.ChallengeKind.X, "abc"))
                .contains(answered("application/json", "{\"response_token\":\"sha256=AP8=\"}", Map.of()));
        assertThat(asked(Challenge.ChallengeKind.LINKEDIN, "abc"))
                .contains(answered(
                        "application/json", "{\"challengeCode\":\"abc\",\"challengeResponse\":\"00ff\"}", Map.of()));
        String sentence = "Validation: Testing client application reachability for subscription Request-Id: 1-a";
        assertThat(asked(Challenge.ChallengeKind.GRAPH, sentence)).contains(answered("text/plain", sentence, Map.of()));
        assertThat(asked(Challenge.ChallengeKind.ASANA, "abc"))
                .contains(answered("text/plain", "", Map.of("X-Hook-Secret", "abc")));
        assertThat(asked(Challenge.ChallengeKind.CLOUDEVENTS, "eventgrid.azure.net"))
                .contains(answered(
                        "text/plain",
                        "",
                        Map.of("WebHook-Allowed-Origin", "eventgrid.azure.net", "WebHook-Allowed-Rate", "*")));
    }

    private static Challenge.ChallengeAnswer answered(String mediaType, String text, Map<String, String> headers) {
        return new Challenge.ChallengeAnswer(new Reply("challenge", 200, mediaType, text), headers);
    }

    @Test
    void anyOtherQueryIsNoChallenge() {
        assertThat(ask(META, Map.of("challenge", "1"))).isEmpty();
        assertThat(ask(DROPBOX, Map.of("hub.mode", "subscribe"))).isEmpty();
    }
}
