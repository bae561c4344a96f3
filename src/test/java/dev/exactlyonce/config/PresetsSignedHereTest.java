package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.KeyResolver;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedValues;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The senders that publish no vector, signed here as they describe it. */
public class PresetsSignedHereTest {
    private static final String SECRET = SenderRequests.SECRET;
    private static final String BODY = SenderRequests.BODY;
    private static final Duration EIGHT_HOURS = Duration.ofHours(8);
    private static final Instant NOW = SenderRequests.NOW;
    private static final String SECONDS = Long.toString(NOW.getEpochSecond());
    private static final String MILLIS = Long.toString(NOW.toEpochMilli());
    private static final KeyPair PAIR = Signer.ed25519();

    private static SignedDelivery sent(String preset, String secret, String body, String... headers) {
        return SenderRequests.sent(preset, secret, body, headers);
    }

    private static SignedDelivery standard(String preset, String prefix) {
        return SenderRequests.standard(preset, prefix);
    }

    /** Whether the signature covers the body. */
    public static boolean signsTheBody(String preset) {
        return SignedValues.of(Preset.find(preset).orElseThrow()).body();
    }

    private static SignedDelivery linear(Instant time) {
        String body = "{\"webhookTimestamp\":" + time.toEpochMilli() + ",\"action\":\"create\"}";
        return sent("linear", SECRET, body, "Linear-Signature", Signer.hex(SECRET, body));
    }

    /** One of each sender, signed long ago. */
    public static List<SignedDelivery> all() {
        return deliveries().map(Named::getPayload).toList();
    }

    private static Stream<Named<SignedDelivery>> deliveries() {
        String zendesk = "2026-09-27T10:00:00Z";
        String url = "https://example.com/hooks/hubspot";
        Stream<SignedDelivery> first = Stream.of(
                standard("clerk", "svix"),
                standard("resend", "svix"),
                standard("gitlab", "webhook"),
                sent("gitlab-token", SECRET, BODY, "X-Gitlab-Token", SECRET),
                sent("telegram", SECRET, BODY, "X-Telegram-Bot-Api-Secret-Token", SECRET),
                sent(
                        "zendesk",
                        SECRET,
                        BODY,
                        "X-Zendesk-Webhook-Signature",
                        Signer.base64(SECRET, zendesk + BODY),
                        "X-Zendesk-Webhook-Signature-Timestamp",
                        zendesk),
                sent(
                                "hubspot-v2",
                                SECRET,
                                BODY,
                                "X-HubSpot-Signature",
                                Signer.sha256Hex(SECRET + "POST" + url + "?a=1" + BODY))
                        .with("public-url", url)
                        .withQuery("a=1"),
                sent(
                        "discord",
                        Signer.publicHex(PAIR),
                        BODY,
                        "X-Signature-Ed25519",
                        Signer.ed25519Hex(PAIR, SECONDS + BODY),
                        "X-Signature-Timestamp",
                        SECONDS),
                linear(NOW),
                sent("dropbox", SECRET, BODY, "X-Dropbox-Signature", Signer.hex(SECRET, BODY)),
                sent(
                        "zoom",
                        SECRET,
                        BODY,
                        "x-zm-signature",
                        "v0=" + Signer.hex(SECRET, "v0:" + SECONDS + ":" + BODY),
                        "x-zm-request-timestamp",
                        SECONDS),
                sent(
                        "calendly",
                        SECRET,
                        BODY,
                        "Calendly-Webhook-Signature",
                        "t=" + SECONDS + ",v1=" + Signer.hex(SECRET, SECONDS + "." + BODY)),
                sent("docusign", SECRET, BODY, "X-DocuSign-Signature-1", Signer.base64(SECRET, BODY)),
                sent("shopify", SECRET, BODY, "X-Shopify-Hmac-Sha256", Signer.base64(SECRET, BODY)),
                sent("x-signature-256", SECRET, BODY, "X-Signature-256", "sha256=" + Signer.hex(SECRET, BODY)),
                sent("whatsapp", SECRET, BODY, "X-Hub-Signature-256", "sha256=" + Signer.hex(SECRET, BODY)),
                sent("pagerduty", SECRET, BODY, "X-PagerDuty-Signature", "v1=" + Signer.hex(SECRET, BODY)),
                sent(
                        "mux",
                        SECRET,
                        BODY,
                        "Mux-Signature",
                        "t=" + SECONDS + ",v1=" + Signer.hex(SECRET, SECONDS + "." + BODY)));
        return Stream.concat(first, SenderRequests.all().stream())
                .map(it -> Named.of(it.settings().get("preset"), it));
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void whatIsSignedAsTheSenderDescribesItIsValid(SignedDelivery delivery) {
        assertThat(delivery.isValid()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void anotherBodyIsRefusedUnlessNothingIsSigned(SignedDelivery delivery) {
        boolean isUnsigned = !signsTheBody(delivery.settings().get("preset"));
        assertThat(delivery.withBody(delivery.body() + " ").isValid()).isEqualTo(isUnsigned);
        assertThat(delivery.withBody(delivery.body().replace("1", "3")).isValid())
                .isEqualTo(isUnsigned);
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void everyHeaderIsNeededAsItWasSent(SignedDelivery delivery) {
        delivery.headers().forEach((name, value) -> {
            assertThat(delivery.withHeader(name, "").isValid()).as(name).isFalse();
            int at = value.length() - 4;
            String other = value.substring(0, Math.max(0, at)) + "b" + value.substring(Math.max(0, at) + 1);
            if (!other.equals(value)) {
                assertThat(delivery.withHeader(name, other).isValid()).as(name).isFalse();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void withoutItsSignatureADeliveryIsRefusedByItsHeadersAlone(SignedDelivery delivery) {
        assertThat(delivery.verifier().verifyHeaders(delivery.request()).isValid())
                .isTrue();
        delivery.headers().keySet().stream()
                .filter(it -> !it.equals("Content-Type"))
                .forEach(name -> assertThat(delivery.verifier()
                                .verifyHeaders(delivery.withHeader(name, "").request())
                                .isValid())
                        .as(name)
                        .isFalse());
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void theSecondSecretCountsAsWell(SignedDelivery delivery) {
        String right = delivery.settings().get("secret");
        SignedDelivery rotated = delivery.with("secret-previous", right);
        String other = SenderRequests.otherSecret(delivery);
        assertThat(rotated.with("secret", other).isValid()).isTrue();
        assertThat(delivery.with("secret", other).isValid()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"svix", "clerk", "resend"})
    void aWhiteLabelledSenderIsTakenByItsOwnHeadersOrByTheStandardsAndNeverByBoth(String preset) {
        SignedDelivery own = standard(preset, "svix");
        SignedDelivery labelled = standard(preset, "webhook");
        assertThat(own.isValid()).isTrue();
        assertThat(labelled.isValid()).isTrue();
        assertThat(labelled.withHeader("webhook-id", "m2").isValid()).isFalse();
        for (String name : List.of("svix-id", "svix-timestamp", "svix-signature")) {
            assertThat(labelled.withHeader(name, "another").isValid()).as(name).isFalse();
            assertThat(labelled.withHeader(name, "").isValid()).as(name).isFalse();
        }
        assertThat(own.withHeader("webhook-id", "another").isValid()).isTrue(); // svix-id is the key
    }

    @Test
    void aCharacterThatIsNoByteIsNotSignedAsAQuestionMark() {
        SignedDelivery signed = SignedDelivery.of("hmac", SECRET)
                .with("signature-header", "X-Sig")
                .with("id-header", "X-Id")
                .with("signed-content", "{id}.{body}")
                .withBody(BODY)
                .withHeader("X-Sig", Signer.hex(SECRET, "order?7." + BODY));
        assertThat(signed.withHeader("X-Id", "order?7").isValid()).isTrue();
        assertThat(signed.withHeader("X-Id", "order\u20ac7").isValid()).isFalse();
        assertThat(signed.withHeader("X-Id", "order\u04107").isValid()).isFalse();
    }

    @Test
    void aQueryParameterThatIsSignedIsTakenDecodedAndOnce() {
        SignedDelivery signed = SignedDelivery.of("hmac", SECRET)
                .with("signature-header", "X-Sig")
                .with("signed-content", "{query:account id}.{body}")
                .withBody(BODY)
                .withHeader("X-Sig", Signer.hex(SECRET, "é&1." + BODY));
        SentRequest request =
                new SentRequest().withHeader("X-Sig", signed.headers().get("X-Sig"));
        byte[] body = Signer.bytes(BODY);
        assertThat(signed.verifier().verify(request, body).isValid()).isFalse();
        request.withQuery("account id", "é&1");
        assertThat(signed.verifier().verify(request, body).isValid()).isTrue();
        request.withQuery("account id", "é&1");
        assertThat(signed.verifier().verify(request, body).fault())
                .contains("a header or query parameter that is signed is missing, empty or repeated");
        assertThat(signed.verifier()
                        .verify(
                                new SentRequest()
                                        .withHeader("X-Sig", Signer.hex(SECRET, "." + BODY))
                                        .withQuery("account id", ""),
                                body)
                        .isValid())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{query:}{body}", "{query: a}{body}", "{query}{body}", "{Query:a}{body}"})
    void aQueryParameterWithoutANameIsAFault(String content) {
        assertThat(SignedDelivery.read(
                                Map.of(
                                        "preset",
                                        "hmac",
                                        "secret",
                                        SECRET,
                                        "signature-header",
                                        "X-Sig",
                                        "signed-content",
                                        content),
                                NOW)
                        .problems())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.source.it.signed-content: ")
                .contains("{query:name}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A||B", "|A", "A|", "A B"})
    void headersOfASignatureThatAreNoNamesAreAFault(String headers) {
        assertThat(SignedDelivery.read(Map.of("preset", "hmac", "secret", SECRET, "signature-header", headers), NOW)
                        .problems())
                .first()
                .asString()
                .startsWith("exactlyonce.source.it.signature-header: ")
                .contains("with vertical bars between them");
    }

    @Test
    void theDocumentsExampleOfAnyHmacIsVerified() {
        SignedDelivery acme = SignedDelivery.of("hmac", SECRET)
                .with("key", "header:X-Acme-Delivery")
                .with("signature-header", "X-Acme-Signature")
                .with("signature-separator", "comma")
                .with("signature-prefix", "v1=")
                .with("timestamp-prefix", "t=")
                .with("signed-content", "{timestamp}.{body}")
                .withBody(BODY)
                .withHeader("X-Acme-Signature", "t=" + SECONDS + ",v1=" + Signer.hex(SECRET, SECONDS + "." + BODY))
                .at(NOW);
        assertThat(acme.isValid()).isTrue();
        assertThat(acme.withBody(BODY + " ").isValid()).isFalse();
        assertThat(acme.at(NOW.plusSeconds(301)).isValid()).isFalse();
    }

    @Test
    void aTimestampInTheBodyIsTakenUpToTheTolerance() {
        assertThat(linear(NOW.plus(EIGHT_HOURS)).at(NOW).isValid()).isTrue();
        assertThat(linear(NOW.minus(EIGHT_HOURS)).at(NOW).isValid()).isTrue();
        assertThat(linear(NOW.plus(EIGHT_HOURS).plusMillis(1)).at(NOW).isValid())
                .isFalse();
        assertThat(linear(NOW.minus(EIGHT_HOURS).minusMillis(1)).at(NOW).isValid())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "",
                "null",
                "{\"webhookTimestamp\":null}",
                "{\"webhookTimestamp\":{}}",
                "{\"webhookTimestamp\":\"now\"}",
                "{\"webhookTimestamp\":-1}",
                "{\"webhookTimestamp\":1e3}",
                "{\"webhookTimestamp\":999999999999999999999999}"
            })
    void aSignedBodyWithoutATimestampIsRefused(String body) {
        assertThat(sent("linear", SECRET, body, "Linear-Signature", Signer.hex(SECRET, body))
                        .isValid())
                .isFalse();
    }

    @Test
    void aTimestampInTheBodyIsForAnySenderOfTheGenericPreset() {
        String body = "{\"at\":\"2026-09-27T10:00:00Z\"}";
        SignedDelivery delivery = sent("hmac", SECRET, body, "X-Sig", Signer.hex(SECRET, body))
                .with("signature-header", "X-Sig")
                .with("timestamp-json", "/at")
                .with("timestamp-format", "rfc3339")
                .with("tolerance", "PT1M");
        assertThat(delivery.isValid()).isTrue();
        assertThat(delivery.at(NOW.plus(Duration.ofSeconds(61))).isValid()).isFalse();
    }

    @Test
    void anyOfThePagerdutySignaturesMayMatch() {
        String right = "v1=" + Signer.hex(SECRET, BODY);
        for (String header : List.of(
                "v1=" + "0".repeat(64) + "," + right, right + ",v1=" + "0".repeat(64), "v2=x, " + right + ",v1=x")) {
            assertThat(sent("pagerduty", SECRET, BODY, "X-PagerDuty-Signature", header)
                            .isValid())
                    .isTrue();
        }
    }

    @Test
    void anyOfTheNumberedHeadersMayMatch() {
        String right = Signer.base64(SECRET, BODY);
        String wrong = Signer.base64("another", BODY);
        assertThat(sent("docusign", SECRET, BODY, "X-DocuSign-Signature-1", wrong, "X-DocuSign-Signature-2", right)
                        .isValid())
                .isTrue();
        for (int number : new int[] {20, 21, 100}) {
            assertThat(sent("docusign", SECRET, BODY, "X-DocuSign-Signature-" + number, right)
                            .isValid())
                    .isTrue();
        }
        assertThat(sent("docusign", SECRET, BODY, "X-DocuSign-Signature-101", right)
                        .isValid())
                .isFalse();
        SignedDelivery hundred = sent("docusign", SECRET, BODY, "X-DocuSign-Signature-100", right);
        for (int number = 1; number < 100; number++) {
            hundred = hundred.withHeader("X-DocuSign-Signature-" + number, wrong);
        }
        assertThat(hundred.isValid()).isTrue();
        assertThat(sent("docusign", SECRET, BODY, "X-DocuSign-Signature-0", right)
                        .isValid())
                .isFalse();
        assertThat(sent("docusign", SECRET, BODY, "X-DocuSign-Signature-", right)
                        .isValid())
                .isFalse();
        assertThat(sent("docusign", SECRET, BODY).isValid()).isFalse();
    }

    @Test
    void hubspotsAddressIsComparedWithItsOwnCharactersDecodedAndNoOthers() {
        String url = "https://www.example.com/webhook_uri";
        SignedDelivery signed = sent(
                        "hubspot-v3",
                        SECRET,
                        BODY,
                        "X-HubSpot-Signature-v3",
                        Signer.base64(SECRET, "POST" + url + "?x=a:b/?@!$'()*,;%20%2B" + BODY + MILLIS),
                        "X-HubSpot-Request-Timestamp",
                        MILLIS)
                .with("public-url", url);
        assertThat(signed.withQuery("x=a:b/?@!$'()*,;%20%2B").isValid()).isTrue();
        assertThat(signed.withQuery("x=a%3Ab%2F%3f%40%21%24%27%28%29%2A%2c%3B%20%2B")
                        .isValid())
                .isTrue();
        assertThat(signed.withQuery("x=a:b/?@!$'()*,;%20+").isValid()).isFalse();
        assertThat(signed.withQuery("x=a:b").isValid()).isFalse();
        assertThat(signed.with("public-url", url + "/").withQuery("x=a%3Ab").isValid())
                .isFalse();
    }

    // --- Adyen

    private static final String ADYEN_KEY = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";

    private static String adyenItem(String reference, String signed, String amount, String success) {
        byte[] key = java.util.HexFormat.of().parseHex(ADYEN_KEY);
        String signature =
                Signer.base64(Signer.hmac("HmacSHA256", key, signed + "::Shop:order:1130:EUR:AUTHORISATION:true"));
        return "{\"NotificationRequestItem\":{\"additionalData\":{\"hmacSignature\":\"" + signature
                + "\"},\"pspReference\":\"" + reference
                + "\",\"merchantAccountCode\":\"Shop\",\"merchantReference\":\"order\",\"amount\":{\"value\":" + amount
                + ",\"currency\":\"EUR\"},\"eventCode\":\"AUTHORISATION\",\"success\":" + success + "}}";
    }

    private static boolean isAdyenValid(String... items) {
        return sent("adyen", ADYEN_KEY, "{\"notificationItems\":[" + String.join(",", items) + "]}")
                .isValid();
    }

    @Test
    void everyAdyenItemMustBeSigned() {
        String good = adyenItem("1", "1", "1130", "\"true\"");
        String other = adyenItem("2", "2", "1130", "true");
        String forged = adyenItem("3", "2", "1130", "true");
        assertThat(isAdyenValid(good)).isTrue();
        assertThat(isAdyenValid(good, other)).isTrue();
        assertThat(isAdyenValid(good, forged)).isFalse();
        assertThat(isAdyenValid(forged, good)).isFalse();
        assertThat(isAdyenValid(good, "{}")).isFalse();
        assertThat(isAdyenValid(good, "null")).isFalse();
        assertThat(isAdyenValid(good, "{\"NotificationRequestItem\":[]}")).isFalse();
        assertThat(isAdyenValid(adyenItem("1", "1", "1131", "true"))).isFalse();
        assertThat(isAdyenValid(adyenItem("1", "1", "1130", "false"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "1",
                "{\"notificationItems\":[]}",
                "{\"notificationItems\":{}}",
                "{\"notificationItems\":null}",
                "{\"notificationItems\":[",
                "{\"notificationItems\":[]} {}"
            })
    void aBodyWithoutAdyenItemsIsRefused(String body) {
        assertThat(sent("adyen", ADYEN_KEY, body).isValid()).isFalse();
    }

    @Test
    void aBodyThatIsNestedWithoutEndIsRefused() {
        String deep = "[".repeat(100_000);
        assertThat(sent("adyen", ADYEN_KEY, deep).isValid()).isFalse();
        assertThat(sent("adyen", ADYEN_KEY, "{\"notificationItems\":" + deep).isValid())
                .isFalse();
        assertThat(sent("mailgun", SECRET, deep).isValid()).isFalse();
    }

    // --- Mailgun

    private static final String FORM = "application/x-www-form-urlencoded";

    private static String mailgun(String signatures) {
        return "{\"signature\":{\"timestamp\":\"" + SECONDS + "\",\"token\":\"t1\"," + signatures + "}}";
    }

    @Test
    void anEventOfAMailgunSubaccountIsSignedByItsAccountToo() {
        String right = Signer.hex(SECRET, SECONDS + "t1");
        String wrong = Signer.hex("another", SECONDS + "t1");
        assertThat(sent(
                                "mailgun",
                                SECRET,
                                mailgun("\"signature\":\"" + wrong + "\",\"parent-signature\":\"" + right + "\""))
                        .isValid())
                .isTrue();
        assertThat(sent("mailgun", SECRET, mailgun("\"signature\":\"" + right + "\""))
                        .isValid())
                .isTrue();
        assertThat(sent("mailgun", SECRET, mailgun("\"parent-signature\":\"" + wrong + "\""))
                        .isValid())
                .isFalse();
        assertThat(sent("mailgun", SECRET, mailgun("\"signature\":[\"" + right + "\"]"))
                        .isValid())
                .isFalse();
    }

    private static final String ROUTE =
            "timestamp=" + SECONDS + "&token=t1&signature=" + Signer.hex(SECRET, SECONDS + "t1");

    private static SignedDelivery route(String type, String body) {
        return sent("mailgun", SECRET, body, "Content-Type", type);
    }

    private static String inParts(String fields) {
        StringBuilder parts = new StringBuilder();
        for (String field : fields.split("&", -1)) {
            parts.append("--b\r\nContent-Disposition: form-data; name=\"")
                    .append(field.replace("=", "\"\r\n\r\n"))
                    .append("\r\n");
        }
        return parts + "--b--\r\n";
    }

    @Test
    void whatAMailgunRouteForwardsIsSignedInTheFieldsOfItsForm() {
        String multipart = "multipart/form-data; boundary=b";
        assertThat(route(FORM, ROUTE + "&subject=%E9&body-plain=x").isValid()).isTrue();
        assertThat(route(multipart, inParts(ROUTE + "&subject=x")).isValid()).isTrue();
        assertThat(route(FORM, ROUTE).at(NOW.plus(Duration.ofHours(10))).isValid())
                .isFalse();
        assertThat(route(FORM, ROUTE.replace("token=t1", "token=t2")).isValid()).isFalse();
        assertThat(route(FORM, ROUTE.replace("token=t1", "token=+")).isValid()).isFalse();
        assertThat(route(FORM, ROUTE + "&token=t1").isValid()).isFalse();
        assertThat(route(FORM, ROUTE.replace("&token=t1", "")).isValid()).isFalse();
        assertThat(route(multipart, ROUTE).isValid()).isFalse();
        assertThat(route("text/plain", ROUTE).isValid()).isFalse();
    }

    @Test
    void aBodyThatIsJsonAndAMailgunFormHasTheTokenOfItsTypeAlone() {
        String both = "{\"signature\":{\"token\":\"fresh\"},\"x\":\"&" + ROUTE + "&\"}";
        SignedDelivery form = route(FORM, both);
        assertThat(form.isValid()).isTrue();
        assertThat(SignedDelivery.read(form.settings(), NOW)
                        .settings()
                        .sources()
                        .find("it")
                        .orElseThrow()
                        .policy()
                        .keys()
                        .resolve(new SentRequest().withHeader("Content-Type", FORM), Signer.bytes(both)))
                .isEqualTo(new KeyResolver.Resolution.KeyParts(List.of("t1")));
        assertThat(route("application/json", both).isValid()).isFalse();
    }

    @Test
    void shopifysSignatureIsFoundWithoutItsXToo() {
        SignedDelivery signed = sent("shopify", SECRET, BODY, "Shopify-Hmac-Sha256", Signer.base64(SECRET, BODY));
        assertThat(signed.isValid()).isTrue();
        assertThat(signed.withBody(BODY + " ").isValid()).isFalse();
        assertThat(signed.withHeader("X-Shopify-Hmac-Sha256", Signer.base64("another", BODY))
                        .isValid())
                .isFalse();
    }

    // --- Twilio

    private static SignedDelivery twilio(String signedUrl, String fields, String type, String body) {
        String signature = Signer.base64(Signer.hmac("HmacSHA1", Signer.bytes(SECRET), signedUrl + fields));
        SignedDelivery delivery = sent("twilio", SECRET, body, "X-Twilio-Signature", signature)
                .with("public-url", "https://example.com/hooks/sms");
        return type.isEmpty() ? delivery : delivery.withHeader("Content-Type", type);
    }

    @Test
    void twiliosFieldsAreSortedDecodedAndJoinedWithoutSeparators() {
        String url = "https://example.com/hooks/sms";
        String body = "b=2&a=%2B1+x&B=3&empty=&%C3%A4=%E2%82%AC";
        assertThat(twilio(url, "B3a+1 xb2emptyä€", FORM, body).isValid()).isTrue();
        assertThat(twilio(url, "B3a+1 xb2emptyä€", FORM + "; charset=UTF-8", body)
                        .isValid())
                .isTrue();
        assertThat(twilio(url, "a1a2", FORM, "a=2&a=1&a=2").isValid()).isTrue();
        assertThat(twilio(url, "", FORM, "").isValid()).isTrue();
        assertThat(twilio(url, "", FORM, "a=1").isValid()).isFalse();
        assertThat(twilio(url, "a%zz", FORM, "a=%zz").isValid()).isFalse();
    }

    @Test
    void twiliosAddressCountsWithAndWithoutItsPort() {
        assertThat(twilio("https://example.com:443/hooks/sms", "a1", FORM, "a=1")
                        .isValid())
                .isTrue();
        assertThat(twilio("https://example.com:8443/hooks/sms", "a1", FORM, "a=1")
                        .isValid())
                .isFalse();
        for (String configured :
                List.of("https://user:pass@example.com:443/hooks/sms", "https://user:pass@example.com/hooks/sms")) {
            for (String signed :
                    List.of("https://user:pass@example.com:443/hooks/sms", "https://user:pass@example.com/hooks/sms")) {
                assertThat(twilio(signed, "a1", FORM, "a=1")
                                .with("public-url", configured)
                                .isValid())
                        .isTrue();
            }
        }
        assertThat(twilio("http://example.com:80/hooks/sms", "", "", "")
                        .with("public-url", "http://example.com/hooks/sms")
                        .isValid())
                .isTrue();
    }

    @Test
    void aBodyThatNeitherFieldsNorADigestCoverIsRefused() {
        String url = "https://example.com/hooks/sms";
        assertThat(twilio(url, "", "application/json", BODY).isValid()).isFalse();
        assertThat(twilio(url, "", "", BODY).isValid()).isFalse();
        String digest = "bodySHA256=" + Signer.sha256Hex(BODY);
        assertThat(twilio(url + "?" + digest, "", "application/json", BODY)
                        .withQuery(digest)
                        .isValid())
                .isTrue();
        assertThat(twilio(url + "?" + digest, "", "application/json", BODY + " ")
                        .withQuery(digest)
                        .isValid())
                .isFalse();
        assertThat(twilio(url + "?" + digest + "&bodySHA256=", "", "application/json", BODY)
                        .withQuery(digest + "&bodySHA256=")
                        .isValid())
                .isFalse();
        assertThat(twilio(url + "?" + digest, "", FORM, "a=1").withQuery(digest).isValid())
                .isFalse();
    }

    @Test
    void aSignatureThatIsMissingOrNoneIsRefusedByEveryScheme() {
        for (String preset : List.of("twilio", "square", "docusign", "telegram", "mailgun", "sendgrid")) {
            Map<String, String> secrets = Map.of(
                    "sendgrid",
                    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==");
            SignedDelivery delivery = sent(preset, secrets.getOrDefault(preset, SECRET), BODY);
            boolean url = preset.equals("twilio") || preset.equals("square");
            assertThat((url ? delivery.with("public-url", "https://example.com/") : delivery).isValid())
                    .as(preset)
                    .isFalse();
        }
    }
}
