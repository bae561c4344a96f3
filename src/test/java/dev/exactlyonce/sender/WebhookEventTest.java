package dev.exactlyonce.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
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

    @Test
    void neitherTextNorMessageShowsTheBody() {
        WebhookEvent event = WebhookEvent.json(KEY, Map.of("card", "4111"));

        assertThat(event).hasToString("event order-17");
        assertThatThrownBy(() -> WebhookEvent.json(KEY, Map.of("card", new StringBuilder("4111").chars()))
                        .body(BodyCodec.JSON))
                .hasMessageNotContaining("4111");
    }
}
