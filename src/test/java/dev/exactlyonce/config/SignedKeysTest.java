package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.Preset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keys and fingerprints are made of, where a signature covers less or other than the bytes. */
class SignedKeysTest {
    private static final String SECRET = "a secret of 24 letters..";
    private static final String BODY = "{\"id\":\"1\"}";

    private static Verification verified(SignedDelivery delivery) {
        Verification verification =
                delivery.verifier().verify(delivery.request(), delivery.body().getBytes(StandardCharsets.UTF_8));
        assertThat(verification.isValid()).isTrue();
        return verification;
    }

    private static String signature(SignedDelivery delivery) {
        return verified(delivery).signed().orElseThrow().signature();
    }

    private static SignedDelivery razorpay(String secret) {
        return SignedDelivery.of("razorpay", secret)
                .withBody(BODY)
                .withHeader("X-Razorpay-Signature", Signer.hex(secret, BODY));
    }

    @Test
    void theSignatureIsTheMacThatMatchedHoweverItIsWritten() {
        String mac = Signer.hex(SECRET, BODY);
        assertThat(signature(razorpay(SECRET))).isEqualTo(mac);
        assertThat(signature(
                        razorpay(SECRET).withHeader("X-Razorpay-Signature", mac.toUpperCase(java.util.Locale.ROOT))))
                .isEqualTo(mac);
        assertThat(signature(SignedDelivery.of("shopify", SECRET)
                        .withBody(BODY)
                        .withHeader("X-Shopify-Hmac-Sha256", Signer.base64(SECRET, BODY))))
                .isEqualTo(mac);
    }

    @Test
    void ofSeveralSecretsTheMacIsThatOfTheOneThatMatched() {
        SignedDelivery old = razorpay("the secret before this one");
        assertThat(signature(old.with("secret", SECRET).with("secret-previous", "the secret before this one")))
                .isEqualTo(Signer.hex("the secret before this one", BODY));
    }

    @Test
    void ofOneContentManySignaturesWithAPublicKeyAreTheSame() throws Exception {
        var generator = java.security.KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        var pair = generator.generateKeyPair();
        Set<String> written = new TreeSet<>();
        Set<String> found = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            var signer = java.security.Signature.getInstance("SHA256withECDSA");
            signer.initSign(pair.getPrivate());
            signer.update(("1790503200" + BODY).getBytes(StandardCharsets.UTF_8));
            String signature = Signer.base64(signer.sign());
            written.add(signature);
            found.add(signature(
                    SignedDelivery.of("sendgrid", Signer.base64(pair.getPublic().getEncoded()))
                            .withBody(BODY)
                            .withHeader("X-Twilio-Email-Event-Webhook-Timestamp", "1790503200")
                            .withHeader("X-Twilio-Email-Event-Webhook-Signature", signature)
                            .at(Instant.ofEpochSecond(1790503200))));
        }
        assertThat(written).hasSizeGreaterThan(1);
        assertThat(found).containsExactly(Signer.sha256Hex(("1790503200" + BODY).getBytes(StandardCharsets.UTF_8)));
    }

    // --- Twilio

    private static final String URL = "https://example.com/sms";
    private static final String TO_TWILIO = "From=%2B1555&Body=Hello+World%21&MessageSid=SM1";

    private static SignedDelivery twilio(String body) {
        String signed = URL + "BodyHello World!From+1555MessageSidSM1";
        return SignedDelivery.of("twilio", SECRET)
                .with("public-url", URL)
                .withHeader("Content-Type", "application/x-www-form-urlencoded")
                .withHeader(
                        "X-Twilio-Signature",
                        Signer.base64(Signer.hmac("HmacSHA1", SECRET.getBytes(StandardCharsets.UTF_8), signed)))
                .withBody(body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TO_TWILIO,
                "From=%2b1555&Body=Hello+World%21&MessageSid=SM1",
                "From=%2B1555&Body=Hello%20World%21&MessageSid=SM1",
                "From=%2B1555&Body=%48ello+World!&MessageSid=SM1",
                "MessageSid=SM1&Body=Hello+World%21&From=%2B1555",
                "&&From=%2B1555&Body=Hello+World%21&MessageSid=SM1&",
                "From=%2B1555&Body=Hello+World%21&MessageSid=SM1&MessageSid=SM1",
                "Fro%6D=%2B1555&Body=Hello+World%21&MessageSid=SM1",
                "From=%2B1555&BodyHello+World%21&MessageSid=SM1",
                "From%2B1555=&Body=Hello+World%21&MessageSid=SM1"
            })
    void oneSignedFormIsOneKeyAndOneBodyHoweverItIsEncoded(String body) {
        SignedDelivery first = twilio(TO_TWILIO);
        SignedDelivery again = twilio(body);
        assertThat(signature(again)).isEqualTo(signature(first));
        assertThat(verified(again).signed().orElseThrow().body())
                .isPresent()
                .isEqualTo(verified(first).signed().orElseThrow().body());
    }

    @Test
    void anotherFormIsAnotherBody() {
        assertThat(twilio(TO_TWILIO.replace("SM1", "SM2")).isValid()).isFalse();
        assertThat(verified(twilio(TO_TWILIO)).signed().orElseThrow().body())
                .contains(Signer.sha256Hex("BodyHello World!From+1555MessageSidSM1".getBytes(StandardCharsets.UTF_8)));
    }

    // --- which ids are signed

    private static SourcePolicy policy(Map<String, String> settings, Optional<KeyExpressions> own) {
        SettingsReader.Reading reading = SignedDelivery.read(settings, Instant.EPOCH);
        assertThat(reading.problems()).isEmpty();
        return reading.settings().sources().find("it").orElseThrow().policy(own);
    }

    @Test
    void theIdsOfThesePresetsAreNotSignedAndTheirBodiesTellDeliveriesApart() {
        Set<String> unsigned = new TreeSet<>();
        for (String name : Preset.NAMES) {
            if (policy(PresetFilesTest.sound(name), Optional.empty()).fingerprint() == FingerprintBy.SEPARATE) {
                unsigned.add(name);
            }
        }
        assertThat(unsigned)
                .containsExactlyInAnyOrder(
                        "github",
                        "shopify",
                        "bitbucket",
                        "razorpay",
                        "zendesk",
                        "twilio",
                        "x-signature-256",
                        "hmac",
                        "box",
                        "discourse",
                        "forgejo",
                        "gitea",
                        "gogs",
                        "jira",
                        "sanity",
                        "sentry",
                        "woocommerce");
    }

    @ParameterizedTest
    @CsvSource({
        "github,json:/id,NONE",
        "github,body,NONE",
        "github,signature,NONE",
        "github,path:tenant|json:/id,NONE",
        "github,header:X-Any|json:/id,SEPARATE",
        "github,query:id,SEPARATE",
        "square,query:id,NONE",
        "standard-webhooks,header:WEBHOOK-ID,NONE",
        "standard-webhooks,header:webhook-timestamp,NONE",
        "standard-webhooks,header:Idempotency-Key,SEPARATE",
        "telegram,header:X-Any,NONE",
        "intercom,header:X-Any,NONE"
    })
    void anAnnotationsOwnKeyIsSeparatedByItsBodyWhereItIsNotSigned(String preset, String key, FingerprintBy by) {
        assertThat(policy(PresetFilesTest.sound(preset), Optional.of(KeyExpressions.parse(List.of(key), false)))
                        .fingerprint())
                .isEqualTo(by);
    }

    @Test
    void aFingerprintThatIsSetIsTheOneThatCounts() {
        Map<String, String> settings = new java.util.HashMap<>(PresetFilesTest.sound("github"));
        for (FingerprintBy by : FingerprintBy.values()) {
            settings.put("fingerprint", by.name().toLowerCase(java.util.Locale.ROOT));
            assertThat(policy(settings, Optional.empty()).fingerprint()).isEqualTo(by);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"telegram", "gitlab-token"})
    void aKeyOfASignatureNeedsOne(String preset) {
        Map<String, String> settings = new java.util.HashMap<>(PresetFilesTest.sound(preset));
        settings.put("key", "signature");
        assertThat(SignedDelivery.read(settings, Instant.EPOCH).problems())
                .singleElement()
                .asString()
                .contains("exactlyonce.source.it.key: signature is in it, and nothing signs what this source sends");
        assertThat(SignedDelivery.read(Map.of("key", "signature"), Instant.EPOCH)
                        .problems())
                .hasSize(1);
    }

    // --- what comes after the record

    private static SettingsReader.Reading read(Map<String, String> more, String... settings) {
        Map<String, String> all = new java.util.HashMap<>(more);
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return SignedDelivery.read(all, Instant.EPOCH);
    }

    @Test
    void aTtlUnderTwiceTheToleranceIsToldAtTheStart() {
        Map<String, String> stripe = PresetFilesTest.sound("stripe");
        assertThat(read(stripe, "tolerance", "P3DT12H").settings().warnings()).isEmpty();
        assertThat(read(stripe, "tolerance", "P3DT12H0.001S").settings().warnings())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.source.it.ttl: PT168H is less than twice the tolerance of PT84H0.001S");
        Map<String, String> hmac = PresetFilesTest.sound("hmac");
        assertThat(read(hmac, "ttl", "PT9M").settings().warnings()).isEmpty();
        assertThat(read(hmac, "ttl", "PT9M", "signed-content", "{timestamp}.{body}", "timestamp-header", "X-Time")
                        .settings()
                        .warnings())
                .singleElement()
                .asString()
                .contains("twice the tolerance of PT5M");
    }

    @Test
    void aTtlUnderTwiceTheRetryWindowIsToldWithAndWithoutAPreset() {
        assertThat(read(Map.of(), "retry-window", "PT12H").settings().warnings())
                .isEmpty();
        assertThat(read(Map.of(), "retry-window", "PT13H").settings().warnings())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.source.it.ttl: PT24H is less than twice the PT13H");
        Map<String, String> github = PresetFilesTest.sound("github");
        assertThat(read(github, "ttl", "P5D").settings().warnings()).hasSize(1);
        assertThat(read(github, "ttl", "P5D", "retry-window", "P1D").settings().warnings())
                .isEmpty();
        assertThat(read(Map.of(), "retry-window", "soon").problems()).hasSize(1);
    }

    @Test
    void withStrictTtlATtlThatIsTooShortStopsTheDeployment() {
        Map<String, String> properties = Map.of(
                "exactlyonce.strict-ttl", "true",
                "exactlyonce.source.it.retry-window", "PT13H");
        SettingsReader.Reading reading = new SettingsReader(
                        new io.smallrye.config.SmallRyeConfigBuilder()
                                .addDefaultInterceptors()
                                .withSources(new io.smallrye.config.PropertiesConfigSource(properties, "test", 100))
                                .build(),
                        "shop",
                        StoreProviders.ofThisApplication(),
                        () -> Instant.EPOCH)
                .read(Set.of("it"));
        assertThat(reading.problems())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.source.it.ttl: PT24H is less than twice the PT13H")
                .endsWith("allowed with strict-ttl=true: a longer ttl");
        assertThat(reading.settings().warnings()).isEmpty();
    }

    @Test
    void aKeyOfTheSignatureIsFoundOnceItWasVerified() {
        SignedDelivery delivery = razorpay(SECRET).with("key", "signature");
        SourcePolicy policy = policy(delivery.settings(), Optional.empty());
        DeliveryVerifier verifier = policy.verifier();
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        assertThat(verifier.verify(delivery.request(), body).signed()).isPresent();
        assertThat(policy.keys().resolve(delivery.request(), body)).isInstanceOf(Resolution.NoKey.class);
        DeliveryRequest verified = new dev.exactlyonce.admission.SentRequest() {
            @Override
            public Optional<String> signature() {
                return Optional.of(HexFormat.of().formatHex(new byte[32]));
            }
        };
        assertThat(policy.keys().resolve(verified, body)).isEqualTo(new Resolution.KeyParts(List.of("0".repeat(64))));
    }
}
