package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.SentRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the preset is put together; what it accepts is in PayPalSignatureTest, as no test may call PayPal. */
class PayPalPresetTest {
    private static final Instant NOW = Instant.parse("2026-09-27T10:00:00Z");

    private static Optional<String> fault(Instant signed) {
        SentRequest request = new SentRequest()
                .withHeader("PAYPAL-TRANSMISSION-ID", "1")
                .withHeader("PAYPAL-TRANSMISSION-TIME", signed.toString())
                .withHeader("PAYPAL-TRANSMISSION-SIG", "AAAA")
                .withHeader("PAYPAL-CERT-URL", "https://api.paypal.com.evil.example/c")
                .withHeader("PAYPAL-AUTH-ALGO", "SHA256withRSA");
        return new SignedDelivery(PresetFilesTest.sound("paypal"), "", Map.of(), "", NOW)
                .verifier()
                .verify(request, new byte[0])
                .fault();
    }

    @Test
    void aTimeWithinTheRetriesIsTakenAndAnotherHostIsNot() {
        assertThat(fault(NOW.minus(Duration.ofDays(3)))).contains("the certificate's address is not one of PayPal's");
    }

    @Test
    void aTimeBeforeTheRetriesIsStale() {
        assertThat(fault(NOW.minus(Duration.ofDays(3)).minusMillis(1)))
                .hasValueSatisfying(it -> assertThat(it).contains("timestamp"));
    }
}
