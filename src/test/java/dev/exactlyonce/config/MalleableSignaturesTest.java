package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One signature has one writing and one content: neither is cut, lengthened or written otherwise by anyone who has seen it. */
class MalleableSignaturesTest {
    private static final String SECRET = "a secret of 24 letters..";
    private static final String BODY = "{\"id\":\"1\"}";
    private static final Instant NOW = Instant.parse("2026-09-27T10:00:00Z");
    private static final String SECONDS = Long.toString(NOW.getEpochSecond());
    private static final HexFormat HEX = HexFormat.of();

    private static byte[] joined(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    // --- Ed25519

    private static final BigInteger ORDER_OF_ED25519 =
            BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final KeyPair ED25519 = Signer.ed25519();
    private static final byte[] SIGNED = HEX.parseHex(Signer.ed25519Hex(ED25519, SECONDS + BODY));

    private static boolean isTakenByDiscord(byte[] signature) {
        return SignedDelivery.of("discord", Signer.publicHex(ED25519))
                .withBody(BODY)
                .withHeader("X-Signature-Ed25519", HEX.formatHex(signature))
                .withHeader("X-Signature-Timestamp", SECONDS)
                .at(NOW)
                .isValid();
    }

    private static boolean isTakenAsV1a(byte[] signature) {
        byte[] publicKey = HEX.parseHex(Signer.publicHex(ED25519));
        return SignedDelivery.of("standard-webhooks", "whpk_" + Signer.base64(publicKey))
                .withBody(BODY)
                .withHeader("webhook-id", "m1")
                .withHeader("webhook-timestamp", SECONDS)
                .withHeader("webhook-signature", "v1a," + Signer.base64(signature))
                .at(NOW)
                .isValid();
    }

    /** The same with the group's order added to its second half. */
    private static byte[] withOrderAdded(byte[] signature) {
        byte[] bigEndian = new byte[32];
        for (int i = 0; i < 32; i++) {
            bigEndian[i] = signature[63 - i];
        }
        byte[] sum = new BigInteger(1, bigEndian).add(ORDER_OF_ED25519).toByteArray();
        byte[] other = signature.clone();
        for (int i = 0; i < 32; i++) {
            other[32 + i] = i < sum.length ? sum[sum.length - 1 - i] : 0;
        }
        return other;
    }

    @Test
    void anEd25519SignatureHasExactly64Bytes() {
        byte[] v1a = HEX.parseHex(Signer.ed25519Hex(ED25519, "m1." + SECONDS + "." + BODY));
        assertThat(isTakenByDiscord(SIGNED)).isTrue();
        assertThat(isTakenAsV1a(v1a)).isTrue();
        for (int length : new int[] {0, 32, 63, 65, 66, 96, 128}) {
            assertThat(isTakenByDiscord(Arrays.copyOf(SIGNED, length)))
                    .as("%s", length)
                    .isFalse();
            assertThat(isTakenAsV1a(Arrays.copyOf(v1a, length)))
                    .as("%s", length)
                    .isFalse();
        }
        assertThat(isTakenByDiscord(withOrderAdded(SIGNED))).isFalse();
        assertThat(isTakenAsV1a(withOrderAdded(v1a))).isFalse();
    }

    // --- ECDSA

    private static byte[] der(int tag, byte[] content) {
        return joined(new byte[] {(byte) tag, (byte) content.length}, content);
    }

    @Test
    void anEcdsaSignatureIsDerAndNothingBehindIt() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair pair = generator.generateKeyPair();
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(pair.getPrivate());
        signer.update((SECONDS + BODY).getBytes(StandardCharsets.UTF_8));
        byte[] signature = signer.sign();
        byte[] r = Arrays.copyOfRange(signature, 4, 4 + signature[3]);
        byte[] s = Arrays.copyOfRange(signature, 6 + signature[3], signature.length);
        byte[] rs = joined(der(2, r), der(2, s));
        SignedDelivery delivery = SignedDelivery.of(
                        "sendgrid", Signer.base64(pair.getPublic().getEncoded()))
                .withBody(BODY)
                .withHeader("X-Twilio-Email-Event-Webhook-Timestamp", SECONDS)
                .at(NOW);
        String header = "X-Twilio-Email-Event-Webhook-Signature";
        assertThat(delivery.withHeader(header, Signer.base64(der(0x30, rs))).isValid())
                .isTrue();
        BigInteger order = ((ECPublicKey) pair.getPublic()).getParams().getOrder();
        byte[][] others = {
            joined(signature, new byte[1]),
            der(0x30, joined(rs, der(5, new byte[0]))),
            joined(new byte[] {0x30, (byte) 0x81, (byte) rs.length}, rs),
            joined(new byte[] {0x30, (byte) 0x80}, rs, new byte[2]),
            der(0x30, joined(der(2, joined(new byte[1], r)), der(2, s))),
            der(0x30, joined(der(2, r), der(2, new BigInteger(1, s).add(order).toByteArray()))),
            der(0x30, joined(der(2, new byte[1]), der(2, new byte[1]))),
        };
        for (byte[] other : others) {
            assertThat(delivery.withHeader(header, Signer.base64(other)).isValid())
                    .as(HEX.formatHex(other))
                    .isFalse();
        }
    }

    // --- hexadecimal and Base64

    @ParameterizedTest
    @ValueSource(strings = {"%s0", "0%s", "%s x", "0x%s", "%s00", "%s,", "%s\u0000"})
    void aHexadecimalSignatureHasTwoDigitsAByteAndNothingElse(String format) {
        SignedDelivery delivery = SignedDelivery.of("razorpay", SECRET).withBody(BODY);
        String right = Signer.hex(SECRET, BODY);
        assertThat(delivery.withHeader("X-Razorpay-Signature", right).isValid()).isTrue();
        assertThat(delivery.withHeader("X-Razorpay-Signature", format.formatted(right))
                        .isValid())
                .isFalse();
        assertThat(delivery.withHeader("X-Razorpay-Signature", right.substring(1))
                        .isValid())
                .isFalse();
    }

    static Stream<String> otherBase64() {
        String right = Signer.base64(SECRET, BODY);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        int last = right.length() - 2;
        int bits = alphabet.indexOf(right.charAt(last));
        return Stream.concat(
                Stream.of(1, 2, 3).map(it -> right.substring(0, last) + alphabet.charAt(bits | it) + "="),
                Stream.of(right + "=", right + "A", right.substring(0, last)));
    }

    @ParameterizedTest
    @MethodSource("otherBase64")
    void aBase64SignatureIsWrittenAsAnEncoderWritesIt(String other) {
        String right = Signer.base64(SECRET, BODY);
        assertThat(Base64.getDecoder().decode(right)).hasSize(32);
        SignedDelivery delivery = SignedDelivery.of("shopify", SECRET).withBody(BODY);
        assertThat(delivery.withHeader("X-Shopify-Hmac-Sha256", right).isValid())
                .isTrue();
        assertThat(delivery.withHeader("X-Shopify-Hmac-Sha256", other).isValid())
                .isFalse();
    }

    // --- cut elsewhere

    private static SignedDelivery standard(String preset, String prefix, String id, String timestamp, String body) {
        byte[] key = Base64.getDecoder().decode("A".repeat(32));
        String signed = "m1." + SECONDS + "." + SECONDS + "." + BODY;
        return SignedDelivery.of(preset, "whsec_" + "A".repeat(32))
                .withHeader(prefix + "-id", id)
                .withHeader(prefix + "-timestamp", timestamp)
                .withHeader(prefix + "-signature", "v1," + Signer.base64(Signer.hmac("HmacSHA256", key, signed)))
                .withBody(body)
                .at(NOW);
    }

    @ParameterizedTest
    @CsvSource({"standard-webhooks,webhook", "svix,svix", "clerk,svix", "resend,svix", "gitlab,webhook"})
    void anIdWithADotIsRefusedSinceItWouldMoveTheCut(String preset, String prefix) {
        assertThat(standard(preset, prefix, "m1", SECONDS, SECONDS + "." + BODY).isValid())
                .isTrue();
        assertThat(standard(preset, prefix, "m1." + SECONDS, SECONDS, BODY).isValid())
                .isFalse();
    }

    @Test
    void aHeaderThatHoldsItsSeparatorIsRefused() {
        SignedDelivery delivery = SignedDelivery.of("hmac", SECRET)
                .with("signature-header", "X-Sig")
                .with("signed-content", "{header:X-Shop}|{body}")
                .withHeader("X-Sig", Signer.hex(SECRET, "one|two|" + BODY));
        assertThat(delivery.withHeader("X-Shop", "one").withBody("two|" + BODY).isValid())
                .isTrue();
        assertThat(delivery.withHeader("X-Shop", "one|two").withBody(BODY).isValid())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"2026-09-27T12:00:00+02,:00{}", "2026-09-27T10:00Z,{}", "2026-09-27T10:00:00+0,0:00{}"})
    void aTimeIsWholeSoThatNothingOfItBelongsToTheBody(String timestamp, String body) {
        assertThat(SignedDelivery.of("zendesk", SECRET)
                        .withBody(body)
                        .withHeader("X-Zendesk-Webhook-Signature", Signer.base64(SECRET, timestamp + body))
                        .withHeader("X-Zendesk-Webhook-Signature-Timestamp", timestamp)
                        .at(NOW)
                        .isValid())
                .isFalse();
    }

    @Test
    void aDigitOfTheTimeDoesNotMoveIntoTheBodyHoweverLargeTheTolerance() {
        String cut = SECONDS.substring(0, 9);
        String body = SECONDS.charAt(9) + BODY;
        assertThat(SignedDelivery.of("discord", Signer.publicHex(ED25519))
                        .with("tolerance", "P36500D")
                        .withBody(body)
                        .withHeader("X-Signature-Ed25519", HEX.formatHex(SIGNED))
                        .withHeader("X-Signature-Timestamp", cut)
                        .at(NOW)
                        .isValid())
                .isFalse();
    }

    private static final String URL = "https://example.com/hooks";

    private static SignedDelivery hubspotV2(String query, String body) {
        return SignedDelivery.of("hubspot-v2", SECRET)
                .with("public-url", URL)
                .withHeader("X-HubSpot-Signature", Signer.sha256Hex(SECRET + "POST" + URL + "?a=1" + "[{}]"))
                .withQuery(query)
                .withBody(body);
    }

    private static SignedDelivery square(String query, String body) {
        return SignedDelivery.of("square", SECRET)
                .with("public-url", URL)
                .withHeader("x-square-hmacsha256-signature", Signer.base64(SECRET, URL + "?a=1" + "[{}]"))
                .withQuery(query)
                .withBody(body);
    }

    @ParameterizedTest
    @CsvSource({"a=1[,{}]", "a=1[{,}]", "a=1[{},]", "a=,1[{}]", "'',?a=1[{}]"})
    void noCharacterMovesBetweenTheAddressAndTheBody(String query, String body) {
        assertThat(hubspotV2("a=1", "[{}]").isValid()).isTrue();
        assertThat(square("a=1", "[{}]").isValid()).isTrue();
        assertThat(hubspotV2(query, body).isValid()).isFalse();
        assertThat(square(query, body).isValid()).isFalse();
    }

    // --- length extension

    /** A body with one character a byte, as a request carries it. */
    private static boolean isTaken(SignedDelivery delivery, byte[] body) {
        return delivery.verifier().verify(delivery.request(), body).isValid();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", ",{\"evil\":true}]", "]", " ", "\n[{\"evil\":true}]"})
    void aLongerBodyThatAnybodyCanSignIsRefused(String suffix) {
        byte[] body = "[{\"eventId\":1}]".getBytes(StandardCharsets.UTF_8);
        byte[] behind = suffix.getBytes(StandardCharsets.UTF_8);
        String v1 = SECRET + "[{\"eventId\":1}]";
        String v2 = SECRET + "POST" + URL + "[{\"eventId\":1}]";
        for (String signed : new String[] {v1, v2}) {
            int length = signed.getBytes(StandardCharsets.UTF_8).length;
            byte[] padding = LengthExtension.padding(length);
            String extended = LengthExtension.extended(Signer.sha256Hex(signed), length, behind);
            byte[] longer = joined(signed.getBytes(StandardCharsets.UTF_8), padding, behind);
            assertThat(extended).isEqualTo(Signer.sha256Hex(longer)); // without the secret
            SignedDelivery delivery = SignedDelivery.of(signed.equals(v1) ? "hubspot-v1" : "hubspot-v2", SECRET);
            delivery = signed.equals(v1) ? delivery : delivery.with("public-url", URL);
            assertThat(isTaken(delivery.withHeader("X-HubSpot-Signature", Signer.sha256Hex(signed)), body))
                    .isTrue();
            assertThat(isTaken(delivery.withHeader("X-HubSpot-Signature", extended), joined(body, padding, behind)))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1", "\"text\"", "null", "[1] [2]", "{\"a\":1}x", "\uFEFF{}", "[", "{'a':1}"})
    void aBodyThatIsNotExactlyOneJsonObjectOrArrayIsRefused(String body) {
        assertThat(SignedDelivery.of("hubspot-v1", SECRET)
                        .withHeader("X-HubSpot-Signature", Signer.sha256Hex(SECRET + body))
                        .withBody(body)
                        .isValid())
                .isFalse();
    }

    @Test
    void aTemplateThatCanBeCutElsewhereIsToldAtTheStart() {
        SignedDelivery delivery = SignedDelivery.of("hmac", SECRET)
                .with("signature-header", "X-Sig")
                .with("public-url", URL);
        assertThat(warnings(delivery.with("signed-content", "{url}{body}")))
                .anyMatch(it -> it.contains("signed-content") && it.contains("nothing separates"));
        assertThat(warnings(delivery.with("signed-content", "{url}|{body}")))
                .noneMatch(it -> it.contains("nothing separates"));
    }

    private static Stream<String> warnings(SignedDelivery delivery) {
        return SignedDelivery.read(delivery.settings(), NOW).settings().warnings().stream();
    }
}
