package dev.exactlyonce.sender.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.source.Vectors;
import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignerTest {
    private static final String PLAIN = "a-secret-of-16-chars";
    private static final String WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** Published: standard-webhooks/standard-webhooks, libraries/python/tests/test_webhooks.py. */
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";

    private static final Instant WHEN = Instant.ofEpochSecond(1_614_265_330);
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    private static final String V1 = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    @Test
    void signsAsStandardWebhooksPublishesIt() {
        var headers = new Signer(List.of(WHSEC), Optional.empty()).headers(ID, BODY, WHEN);

        assertThat(headers.get("webhook-signature")).containsExactly(V1);
        assertThat(headers.get("webhook-id")).containsExactly(ID);
        assertThat(headers.get("webhook-timestamp")).containsExactly("1614265330");
        assertThat(headers.get("idempotency-key")).containsExactly(ID);
    }

    @Test
    void signsWithAnEd25519KeyAsStandardWebhooksPublishesIt() {
        JsonObject vector = Vectors.of("standard-webhooks").stream()
                .filter(it -> it.getString("secret").startsWith("whsk_"))
                .findFirst()
                .orElseThrow();
        JsonObject headers = vector.getJsonObject("headers");
        Signer signer = new Signer(List.of(PLAIN), Optional.of(vector.getString("secret")));

        String signatures = signer.headers(
                        headers.getString("webhook-id"),
                        vector.getString("body").getBytes(StandardCharsets.UTF_8),
                        Instant.ofEpochSecond(Long.parseLong(headers.getString("webhook-timestamp"))))
                .get("webhook-signature")
                .get(0);

        assertThat(signatures).startsWith("v1,").endsWith(" " + headers.getString("webhook-signature"));
    }

    @Test
    void duringARotationBothSecretsSignInBothHeaders() {
        var current = new Signer(List.of(PLAIN), Optional.empty()).headers(ID, BODY, WHEN);
        var both = new Signer(List.of(PLAIN, WHSEC), Optional.empty()).headers(ID, BODY, WHEN);

        assertThat(both.get("webhook-signature"))
                .containsExactly(current.get("webhook-signature").get(0) + " " + V1);
        assertThat(both.get("x-signature-256"))
                .hasSize(2)
                .startsWith(current.get("x-signature-256").get(0));
    }

    @Test
    void onlyTheTimestampAndItsSignaturesChangeFromAttemptToAttempt() {
        Signer signer = new Signer(List.of(WHSEC), Optional.empty());
        var first = signer.headers(ID, BODY, WHEN);
        var second = signer.headers(ID, BODY, WHEN.plusSeconds(6));

        assertThat(second.get("x-signature-256")).isEqualTo(first.get("x-signature-256"));
        assertThat(second.get("idempotency-key")).isEqualTo(first.get("idempotency-key"));
        assertThat(second.get("webhook-timestamp")).isNotEqualTo(first.get("webhook-timestamp"));
        assertThat(second.get("webhook-signature")).isNotEqualTo(first.get("webhook-signature"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "short",
                " " + PLAIN,
                PLAIN + "\n",
                "whsec_",
                "whsec_not base64!",
                "whsec_AAAA",
                "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "v1,MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "{xor}LDo8LTorLDo8LTorLDo8LTor",
                "-----BEGIN PRIVATE KEY-----"
            })
    void aSecretThatIsASlipIsRefusedWithoutBeingShown(String secret) {
        assertThatThrownBy(() -> new Signer(List.of(secret), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(it -> assertThat(
                                secret.strip().length() < 6 || !it.getMessage().contains(secret.strip()))
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "whsk_", "whsk_AAAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsk_?"})
    void aSigningKeyThatIsNoneIsRefused(String key) {
        assertThatThrownBy(() -> new Signer(List.of(PLAIN), Optional.of(key)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noTextShowsASecret() {
        assertThat(new Signer(List.of(PLAIN), Optional.empty())).hasToString("signer");
    }
}
