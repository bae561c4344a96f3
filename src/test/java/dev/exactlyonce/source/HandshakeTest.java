package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.Reply;
import dev.exactlyonce.admission.SentRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    private static Optional<Resolution> look(Handshake handshake, String body) {
        Message message = new Message(new SentRequest(), body.getBytes(StandardCharsets.UTF_8));
        return handshake.look(message, new HandshakeSupport(text -> "signed(" + text + ")", "https://right"::equals));
    }

    private static Resolution answered(String mediaType, String text) {
        return new Resolution.DirectReply(new Reply("handshake", 200, mediaType, text));
    }

    @Test
    void slackGetsItsChallengeBack() {
        assertThat(look(Handshake.SLACK, "{\"token\":\"t\",\"challenge\":\"3eZbrw1a\",\"type\":\"url_verification\"}"))
                .contains(answered("text/plain", "3eZbrw1a"));
    }

    @Test
    void zoomGetsItsTokenSigned() {
        assertThat(
                        look(
                                Handshake.ZOOM,
                                "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\"}}"))
                .contains(
                        answered(
                                "application/json",
                                "{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\",\"encryptedToken\":\"signed(qgg8vlvZRS6UYooatFL8Aw)\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "v0:1:{}", "\u00e4", "a\\n", "{}"})
    void aTokenThatCouldBeTheContentOfAWebhookIsNotSigned(String token) {
        assertThat(look(
                        Handshake.ZOOM,
                        "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"" + token + "\"}}"))
                .contains(new Resolution.NoKey("The handshake is malformed."));
        assertThat(look(
                        Handshake.ZOOM,
                        "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"" + "a".repeat(129)
                                + "\"}}"))
                .contains(new Resolution.NoKey("The handshake is malformed."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "<script>", "a|b", "\u00e4", "a\\n", "a/b", "a+b"})
    void aChallengeOutsideItsAlphabetIsNotEchoed(String challenge) {
        assertThat(look(Handshake.SLACK, "{\"type\":\"url_verification\",\"challenge\":\"" + challenge + "\"}"))
                .contains(new Resolution.NoKey("The handshake is malformed."));
    }

    @Test
    void discordsPingIsAnsweredByAPong() {
        assertThat(look(Handshake.DISCORD, "{\"type\":1}")).contains(answered("application/json", "{\"type\":1}"));
        assertThat(look(Handshake.DISCORD, "{\"type\":2}")).isEmpty();
        assertThat(look(Handshake.DISCORD_EVENTS, "{\"version\":1,\"application_id\":\"1\",\"type\":0}"))
                .contains(new Resolution.DirectReply(new Reply("handshake", 204, "application/json", "")));
    }

    @Test
    void anEventOfDiscordIsNoPingThoughItIsOfTypeOne() {
        String event = "{\"version\":1,\"application_id\":\"1\",\"type\":1,"
                + "\"event\":{\"type\":\"APPLICATION_AUTHORIZED\",\"data\":{}}}";
        assertThat(look(Handshake.DISCORD, event)).isEmpty();
        assertThat(look(Handshake.DISCORD_EVENTS, event)).isEmpty();
    }

    private static Optional<Resolution> look(Handshake handshake, String header, String value, String body) {
        Message message =
                new Message(new SentRequest().withHeader(header, value), body.getBytes(StandardCharsets.UTF_8));
        return handshake.look(message, new HandshakeSupport(text -> text, url -> false));
    }

    @Test
    void twitchAndFrontAskByAHeaderAndGetTheirChallengesBack() {
        String type = "Twitch-Eventsub-Message-Type";
        assertThat(look(Handshake.TWITCH, type, "webhook_callback_verification", "{\"challenge\":\"pogchamp-1\"}"))
                .contains(answered("text/plain", "pogchamp-1"));
        assertThat(look(Handshake.TWITCH, type, "webhook_callback_verification", "{\"challenge\":\"<b>\"}"))
                .contains(new Resolution.NoKey("The handshake is malformed."));
        assertThat(look(Handshake.TWITCH, type, "notification", "{\"challenge\":\"pogchamp-1\"}"))
                .isEmpty();
        assertThat(look(Handshake.FRONT, "X-Front-Challenge", "abc", "{}")).contains(answered("text/plain", "abc"));
        assertThat(look(Handshake.FRONT, "X-Front-Challenge", "a b", "{}"))
                .contains(new Resolution.NoKey("The handshake is malformed."));
    }

    @Test
    void eventGridGetsItsCodeBackAsJson() {
        String asked = "[{\"eventType\":\"Microsoft.EventGrid.SubscriptionValidationEvent\","
                + "\"data\":{\"validationCode\":\"512d38b6\"}}]";
        assertThat(look(Handshake.EVENT_GRID, asked))
                .contains(answered("application/json", "{\"validationResponse\":\"512d38b6\"}"));
        assertThat(look(Handshake.EVENT_GRID, asked.replace("512d38b6", "\\\"<")))
                .contains(new Resolution.NoKey("The handshake is malformed."));
    }

    @Test
    void aSubscriptionToATopicIsConfirmedOrRefusedAndNeverADelivery() {
        String asked = "{\"Type\":\"SubscriptionConfirmation\",\"SubscribeURL\":\"https://right\"}";
        assertThat(look(Handshake.SNS, asked)).contains(answered("text/plain", "confirmed"));
        assertThat(look(Handshake.SNS, asked.replace("right", "wrong")))
                .contains(new Resolution.DirectReply(
                        new Reply("subscription refused", 403, "text/plain", "The subscription was not confirmed.")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"type\":\"event_callback\"}", "payload=%7B%7D"})
    void whatIsNoHandshakePasses(String body) {
        for (Handshake handshake : Handshake.values()) {
            assertThat(look(handshake, body)).isEmpty();
        }
    }
}
