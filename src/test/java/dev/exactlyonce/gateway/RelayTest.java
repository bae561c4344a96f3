package dev.exactlyonce.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.Forwarding;
import dev.exactlyonce.sender.WebhookSender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayTest {
    private final List<String> sent = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"sent", "", " ", "caf\u00e9", "a\tb"})
    void aHeaderThatCannotBeSentDoesNotKeepItsDeliveryOut(String value) {
        Forwarding forwarding = new Forwarding(Map.of("shop", new Forwarding.Target("crm", List.of("X-Topic"))));
        Relay relay = new Relay(forwarding, (endpoint, event) -> {
            sent.add(endpoint);
            return WebhookSender.Sent.QUEUED;
        });

        assertThat(relay.takes(new WebhookReceived(
                        "shop", "delivery-17", Map.of("x-topic", List.of(value)), new byte[] {'x'}, "text/plain")))
                .isTrue();
        assertThat(sent).containsExactly("crm");
    }
}
