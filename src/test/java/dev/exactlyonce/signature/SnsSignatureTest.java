package dev.exactlyonce.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.DeliveryRequest;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.source.JsonBody;
import dev.exactlyonce.testkit.SettableClock;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of AWS SNS, signed by an authority of the test's own. */
class SnsSignatureTest {
    private static final PayPalAuthority AUTHORITY = PayPalAuthority.get();
    private static final String TOPIC = "arn:aws:sns:eu-west-1:123456789012:orders";
    private static final String CERTIFICATE =
            "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";

    private record Fields(JsonBody body) implements JsonFields {
        static Optional<JsonFields> read(DeliveryRequest request, byte[] body) {
            return JsonBody.of(request, body).map(Fields::new);
        }

        @Override
        public Optional<String> text(String pointer) {
            return body.text(pointer);
        }

        @Override
        public List<JsonFields> items(String pointer) {
            return body.items(pointer).stream().<JsonFields>map(Fields::new).toList();
        }
    }

    private final SettableClock clock = new SettableClock();
    private final List<URI> fetched = new ArrayList<>();

    private SnsSignature verifier(String... topics) {
        CertifiedKeys keys = new CertifiedKeys(
                address -> {
                    fetched.add(address);
                    return AUTHORITY.chain("paypal");
                },
                new CertificateTrust(AUTHORITY::anchors, ".paypal.com", "SHA256withRSA"),
                clock);
        return new SnsSignature(
                Fields::read,
                () -> List.of(topics),
                Map.of("2", keys),
                new Freshness(TimestampFormat.RFC3339, Duration.ofDays(1)),
                clock);
    }

    private Map<String, String> notification() {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "Message",
                "Hello",
                "MessageId",
                "m-1",
                "Subject",
                "greeting",
                "Timestamp",
                clock.instant().toString(),
                "TopicArn",
                TOPIC,
                "Type",
                "Notification"));
        return signed(fields);
    }

    private static Map<String, String> signed(Map<String, String> fields) {
        StringBuilder content = new StringBuilder();
        fields.forEach(
                (name, value) -> content.append(name).append('\n').append(value).append('\n'));
        Map<String, String> message = new TreeMap<>(fields);
        message.put("SignatureVersion", "2");
        message.put("Signature", AUTHORITY.sign("paypal", content.toString()));
        message.put("SigningCertURL", CERTIFICATE);
        return message;
    }

    private Verification verify(Map<String, String> message) {
        JsonObjectBuilder body = Json.createObjectBuilder();
        message.forEach(body::add);
        return verifier(TOPIC).verify(new SentRequest(), body.build().toString().getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, String> with(String field, String value) {
        Map<String, String> message = notification();
        message.put(field, value);
        return message;
    }

    @Test
    void aNotificationWithAndWithoutASubjectIsValidAndEveryChangedFieldIsRefused() {
        assertThat(verify(notification()).isValid()).isTrue();
        for (String field :
                List.of("Message", "MessageId", "Subject", "TopicArn", "Type", "Signature", "SignatureVersion")) {
            assertThat(verify(with(field, "another")).isValid()).as(field).isFalse();
            Map<String, String> without = notification();
            without.remove(field);
            assertThat(verify(without).isValid()).as(field).isFalse();
        }
        Map<String, String> plain = notification();
        plain.keySet().removeAll(List.of("Subject", "Signature", "SignatureVersion", "SigningCertURL"));
        assertThat(verify(signed(plain)).isValid()).isTrue();
    }

    @Test
    void aConfirmationIsSignedOverItsAddressAndToken() {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "Message", "confirm",
                "MessageId", "m-2",
                "SubscribeURL", "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
                "Timestamp", clock.instant().toString(),
                "Token", "1",
                "TopicArn", TOPIC,
                "Type", "SubscriptionConfirmation"));
        assertThat(verify(signed(fields)).isValid()).isTrue();
        Map<String, String> other = signed(fields);
        other.put("SubscribeURL", "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2");
        assertThat(verify(other).isValid()).isFalse();
    }

    @Test
    void anotherTopicAnOldTimeAndAnotherCutOfTheContentAreRefusedWithoutACallOfAws() {
        Map<String, String> foreign = new TreeMap<>(notification());
        foreign.put("TopicArn", TOPIC + "2");
        assertThat(verify(foreign).fault()).contains("the message is of another topic");
        assertThat(verify(with("Timestamp", "2020-01-01T00:00:00.000Z")).isValid())
                .isFalse();
        assertThat(verify(with("Subject", "a\nTimestamp")).isValid()).isFalse();
        assertThat(fetched).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0123456789abcdef.pem",
                "https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://xsns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.evil.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.eu-west-1.amazonaws.com.cn.evil.example/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-0123456789abcdef.pem",
                "https://user@sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem?x=1",
                "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem#x",
                "https://sns.eu-west-1.amazonaws.com/../SimpleNotificationService-0123456789abcdef.pem",
                "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
                "https://sns.eu-west-1.amazonaws.com/bucket/SimpleNotificationService-0123456789abcdef.pem",
                "file:///etc/passwd",
                ""
            })
    void aCertificateIsFetchedFromNoOtherAddress(String url) {
        assertThat(verify(with("SigningCertURL", url)).isValid()).isFalse();
        assertThat(fetched).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://sns.eu-west-1.amazonaws.com.evil.example/?Action=ConfirmSubscription",
                "https://evil.example/?Action=ConfirmSubscription",
                "https://user@sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
                "https://sns.eu-west-1.amazonaws.com:8443/?Action=ConfirmSubscription",
                "http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
                "https://sns.eu-west-1.amazonaws.com/x?Action=ConfirmSubscription",
                "https://sns.eu-west-1.amazonaws.com/?Action=Publish"
            })
    void aSubscriptionIsConfirmedAtNoOtherAddress(String url) {
        assertThat(CertificateAddress.snsConfirmation(url)).isEmpty();
        assertThat(CertificateAddress.snsConfirmation(
                        "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=a&Token=b"))
                .isPresent();
    }

    @Test
    void theAddressesOfItsRegionsAreKnown() {
        for (String region : List.of("us-east-1", "eu-central-2", "us-gov-west-1", "ap-southeast-4")) {
            assertThat(CertificateAddress.sns(CERTIFICATE.replace("eu-west-1", region)))
                    .as(region)
                    .isPresent();
        }
        assertThat(CertificateAddress.sns(
                        CERTIFICATE.replace("eu-west-1.amazonaws.com", "cn-north-1.amazonaws.com.cn")))
                .isPresent();
    }

    @Test
    void whatIsNotATopicsArnIsAFault() {
        assertThatThrownBy(() -> verifier("orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not the ARN of a topic");
    }
}
