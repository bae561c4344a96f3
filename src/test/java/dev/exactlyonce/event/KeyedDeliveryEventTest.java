package dev.exactlyonce.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.DeliveryKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedDeliveryEventTest {
    @Test
    void theDigestIsTheOneThatLogsShow() {
        DeliveryKey key = DeliveryKey.of("github", "POST/hooks", List.of("1"));
        assertThat(new DeliveryUnfinished("github", key.value()).keyDigest()).isEqualTo(key.toString());
    }
}
