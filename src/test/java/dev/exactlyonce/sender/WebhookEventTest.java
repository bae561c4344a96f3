package dev.exactlyonce.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookEventTest {
    private static final EventKey KEY = new EventKey("order-17");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Idempotency-Key",
                "X-SIGNATURE-256",
                "webhook-id",
                "Webhook-Signature",
                "webhook-anything",
                "Host",
                "content-length",
                "Content-Type",
                "Transfer-Encoding",
                "Connection",
                "User-Agent",
                "",
                "two words",
                "a:b",
                "a\r\nb"
            })
    void aHeaderThatIsTheSendersOrTheConnectionsCannotBeSet(String name) {
        WebhookEvent event = WebhookEvent.json(KEY, Map.of());

        assertThatThrownBy(() -> event.withHeader(name, "value")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "a\r\nwebhook-id: other", "naïve", "\u0000"})
    void aValueThatCouldBeginAnotherHeaderIsRefusedAndNotShown(String value) {
        WebhookEvent event = WebhookEvent.json(KEY, Map.of());

        assertThatThrownBy(() -> event.withHeader("X-Tenant", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("X-Tenant")
                .hasMessageNotContaining("other");
    }

    @Test
    void ownHeadersStandBesideTheContentType() {
        assertThat(WebhookEvent.json(KEY, Map.of())
                        .withHeader("X-Tenant", "acme")
                        .headers())
                .containsOnly(Map.entry("content-type", "application/json"), Map.entry("x-tenant", "acme"));
    }

    @Test
    void bytesAreSentAsTheyWereWhenTheEventWasMade() {
        byte[] bytes = "<a/>".getBytes(StandardCharsets.UTF_8);
        WebhookEvent event = WebhookEvent.bytes(KEY, bytes, "application/xml");
        bytes[0] = '!';

        assertThat(event.body(BodyCodec.PYTHON_SORTED)).asString().isEqualTo("<a/>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " { \"b\" : [ 1 , -0.5e+3, 0 ] , \"a\": \"ü\\u00e9\\n\\/\\ud800😀\" }\n",
                "[]",
                "[true, false, null, [[]], {\"\": {}}]",
                "\"a text\"",
                "17",
                "-0",
                "1E400",
                "{\"twice\": 1, \"twice\": 2}"
            })
    void aJsonTextIsSentByteForByteWhateverTheCodec(String json) {
        WebhookEvent event = WebhookEvent.jsonText(KEY, json);

        for (BodyCodec codec : BodyCodec.values()) {
            assertThat(new String(event.body(codec), StandardCharsets.UTF_8)).isEqualTo(json);
        }
        assertThat(event.headers()).containsExactly(Map.entry("content-type", "application/json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "order 4111",
                "{",
                "}",
                "{}{}",
                "{} 4111",
                "{\"card\": 4111,}",
                "{\"card\" 4111}",
                "{card: 4111}",
                "{'card': 4111}",
                "[4111,]",
                "[4111",
                "[,]",
                "04111",
                "+4111",
                "4111.",
                ".4111",
                "4111e",
                "-",
                "NaN",
                "Infinity",
                "True",
                "nul",
                "nullx",
                "\"4111",
                "\"4111\n\"",
                "\"\\x4111\"",
                "\"\\u411\"",
                "\"\\",
                "\"\\u",
                "\ufeff{}",
                "\u00a0{}",
                "// 4111\n{}",
                "\u0664"
            })
    void aTextThatIsNotOneJsonValueIsRefusedAndNotShown(String text) {
        assertThatThrownBy(() -> WebhookEvent.jsonText(KEY, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the body is not one JSON value: see character ")
                .hasMessageNotContaining("4111");
    }

    @Test
    void aJsonTextThatUtf8CannotEncodeIsRefused() {
        for (String lone : List.of("\ud800", "\udc00", "\ud800x", "\ud800\ud800")) {
            assertThatThrownBy(() -> WebhookEvent.jsonText(KEY, '"' + lone + '"'))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aJsonTextIsNestedNoDeeperThanAValueMayBe() {
        assertThat(WebhookEvent.jsonText(KEY, "[".repeat(501) + "]".repeat(501)))
                .isNotNull();
        assertThatThrownBy(() -> WebhookEvent.jsonText(KEY, "[".repeat(502) + "]".repeat(502)))
                .hasMessageContaining("deeper than 500");
        assertThatThrownBy(() -> WebhookEvent.jsonText(KEY, "[".repeat(1_000_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTextThatIsGivenAsAValueBecomesAJsonString() {
        assertThat(WebhookEvent.json(KEY, "{}").body(BodyCodec.JSON)).asString().isEqualTo("\"{}\"");
    }

    @Test
    void neitherTextNorMessageShowsTheBody() {
        WebhookEvent event = WebhookEvent.json(KEY, Map.of("card", "4111"));

        assertThat(event).hasToString("event order-17");
        assertThatThrownBy(() -> WebhookEvent.json(KEY, Map.of("card", new StringBuilder("4111").chars()))
                        .body(BodyCodec.JSON))
                .hasMessageNotContaining("4111");
    }
}
