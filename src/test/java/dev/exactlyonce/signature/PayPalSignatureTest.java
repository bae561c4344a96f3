package dev.exactlyonce.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.admission.Verification;
import dev.exactlyonce.testkit.SettableClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PayPal's deliveries, with a certificate authority and a server of the test's own in PayPal's place. */
@Timeout(180)
class PayPalSignatureTest {
    private static final String ID = "PAYPAL-TRANSMISSION-ID";
    private static final String TIME = "PAYPAL-TRANSMISSION-TIME";
    private static final String SIGNATURE = "PAYPAL-TRANSMISSION-SIG";
    private static final String ADDRESS = "PAYPAL-CERT-URL";
    private static final String ALGORITHM = "PAYPAL-AUTH-ALGO";

    private static final String HOST = "https://api.paypal.com";
    private static final String WEBHOOK = "1JE4291016473214C";
    private static final String BODY = "{\"id\":\"WH-1\",\"event_type\":\"PAYMENT.CAPTURE.COMPLETED\"}";
    private static final String CERTIFICATE = "/v1/notifications/certs/CERT-1";
    private static final Duration TOLERANCE = Duration.ofDays(3);

    private static final PayPalAuthority AUTHORITY = PayPalAuthority.get();

    private final SettableClock clock = new SettableClock();
    private FileServer server;
    private DeliveryVerifier verifier;

    @BeforeEach
    void start() throws IOException {
        server = FileServer.start();
        server.put(CERTIFICATE, AUTHORITY.chain("paypal"));
        verifier = verifier(WEBHOOK);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private DeliveryVerifier verifier(String... webhooks) {
        HttpsDownload https = new HttpsDownload(JdkTrust::tls, HttpsDownload.PATIENCE);
        return new PayPalSignature(
                new Secrets(List.of(webhooks), Optional.empty()),
                new CertifiedKeys(
                        address -> https.get(server.at(address.getPath())),
                        new CertificateTrust(AUTHORITY::anchors),
                        clock),
                new Freshness(TimestampFormat.RFC3339, TOLERANCE),
                clock);
    }

    private static long crc(String body) {
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    private Map<String, String> signed() {
        return signedBy("paypal", BODY, clock.instant());
    }

    private static Map<String, String> signedBy(String name, String body, Instant time) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put(ID, "69cd13f0-d67a-11e5-baa3-778b53f4ae55");
        headers.put(TIME, time.toString());
        headers.put(ADDRESS, HOST + CERTIFICATE);
        headers.put(ALGORITHM, "SHA256withRSA");
        headers.put(
                SIGNATURE,
                AUTHORITY.sign(name, headers.get(ID) + "|" + headers.get(TIME) + "|" + WEBHOOK + "|" + crc(body)));
        return headers;
    }

    private static Map<String, String> with(Map<String, String> headers, String name, String value) {
        Map<String, String> others = new TreeMap<>(headers);
        others.put(name, value);
        return others;
    }

    private static String flipped(String text, int at) {
        return text.substring(0, at) + (char) (text.charAt(at) ^ 1) + text.substring(at + 1);
    }

    private Verification send(Map<String, String> headers, String body) {
        SentRequest request = new SentRequest();
        headers.forEach(request::withHeader);
        return verifier.verify(request, body.getBytes(StandardCharsets.UTF_8));
    }

    private void assertRefused(Map<String, String> headers, String fault) {
        assertThat(send(headers, BODY).fault())
                .hasValueSatisfying(it -> assertThat(it).contains(fault));
    }

    private void assertRefusedWithoutAsking(Map<String, String> headers, String fault) {
        assertRefused(headers, fault);
        assertThat(server.asked()).isEmpty();
    }

    // --- what is signed

    @Test
    void whatPayPalSignedIsValid() {
        assertThat(send(signed(), BODY)).matches(Verification::isValid);
        assertThat(send(with(signed(), ADDRESS, "https://API.SANDBOX.PayPal.com:443" + CERTIFICATE), BODY))
                .matches(Verification::isValid);
    }

    @Test
    void theChecksumIsWrittenWithoutASign() {
        String body = IntStream.range(0, 100)
                .mapToObj(it -> "{\"id\":\"WH-" + it + "\"}")
                .filter(it -> crc(it) > Integer.MAX_VALUE)
                .findFirst()
                .orElseThrow();
        assertThat(send(signedBy("paypal", body, clock.instant()), body)).matches(Verification::isValid);
    }

    @Test
    void anotherBitOfTheBodyIsRefused() {
        assertThat(send(signed(), flipped(BODY, 8))).isEqualTo(HeaderSignature.WRONG);
        assertThat(send(signed(), "")).isEqualTo(HeaderSignature.WRONG);
    }

    @Test
    void anotherBitOfTheIdTheTimeOrTheSignatureIsRefused() {
        Map<String, String> right = signed();
        assertThat(send(with(right, ID, flipped(right.get(ID), 3)), BODY)).isEqualTo(HeaderSignature.WRONG);
        assertThat(send(with(right, TIME, flipped(right.get(TIME), 18)), BODY)).isEqualTo(HeaderSignature.WRONG);
        for (int at : new int[] {0, 100, 300}) {
            String other = (right.get(SIGNATURE).charAt(at) == 'A' ? "B" : "A");
            String signature = right.get(SIGNATURE).substring(0, at)
                    + other
                    + right.get(SIGNATURE).substring(at + 1);
            assertThat(send(with(right, SIGNATURE, signature), BODY)).isEqualTo(HeaderSignature.WRONG);
        }
        assertThat(send(with(right, SIGNATURE, "AAAA"), BODY)).isEqualTo(HeaderSignature.WRONG);
    }

    @Test
    void theSameTimeWrittenOtherwiseIsNotWhatWasSigned() {
        assertThat(send(with(signed(), TIME, "2026-01-01T01:00:00+01:00"), BODY))
                .isEqualTo(HeaderSignature.WRONG);
    }

    @Test
    void whatIsSignedForTheWebhookOfAnotherIsRefused() {
        verifier = verifier("0EH40505U7160970P");
        assertThat(send(signed(), BODY)).isEqualTo(HeaderSignature.WRONG);
        verifier = verifier("0EH40505U7160970P", WEBHOOK);
        assertThat(send(signed(), BODY)).matches(Verification::isValid);
    }

    @Test
    void aWebhooksIdThatCannotBeOneIsAFault() {
        assertThatThrownBy(() -> verifier(" " + WEBHOOK)).isInstanceOf(IllegalArgumentException.class);
    }

    // --- what is refused before anything is fetched

    @ParameterizedTest
    @ValueSource(strings = {"SHA1withRSA", "NONEwithRSA", "SHA256withECDSA", "sha256", ""})
    void anotherAlgorithmIsRefused(String algorithm) {
        assertRefusedWithoutAsking(with(signed(), ALGORITHM, algorithm), "missing, malformed or repeated");
    }

    @ParameterizedTest
    @ValueSource(strings = {ID, TIME, SIGNATURE, ADDRESS, ALGORITHM})
    void aHeaderThatIsMissingEmptyOrRepeatedIsRefused(String name) {
        Map<String, String> missing = new TreeMap<>(signed());
        missing.remove(name);
        assertRefusedWithoutAsking(missing, "missing, malformed or repeated");
        assertRefusedWithoutAsking(with(signed(), name, ""), "missing, malformed or repeated");
        SentRequest twice = new SentRequest();
        signed().forEach(twice::withHeader);
        twice.withHeader(name, signed().get(name));
        assertThat(verifier.verify(twice, BODY.getBytes(StandardCharsets.UTF_8)).isValid())
                .isFalse();
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void aSignatureThatIsNoBase64IsRefused() {
        assertRefusedWithoutAsking(with(signed(), SIGNATURE, "!"), "malformed");
        assertRefusedWithoutAsking(with(signed(), ADDRESS, "https://api.paypal.com/\u010d"), "malformed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://api.paypal.com/c",
                "https://api.paypal.com:8443/c",
                "https://api.paypal.com:80/c",
                "https://me@api.paypal.com/c",
                "https://api.paypal.com@evil.example/c",
                "https://api.paypal.com.evil.example/c",
                "https://api.paypal.com./c",
                "https://evilapi.paypal.com/c",
                "https://paypal.com/c",
                "https://www.paypal.com/c",
                "https://evil.example/api.paypal.com",
                "https://evil.example/#api.paypal.com",
                "https://evil.example\\@api.paypal.com/c",
                "https://api.paypal.com%2eevil.example/c",
                "https://127.0.0.1/c",
                "https://[::1]/c",
                "https://169.254.169.254/latest/meta-data",
                "https://api.paypal.com",
                "https://api.paypal.com/",
                "https://api.paypal.com//evil.example/c",
                "https://api.paypal.com/%0d%0aHost:evil.example",
                "https://api.paypal.com/\u00e9",
                "https://api.paypal.com/c?x=1",
                "https://api.paypal.com/c#x",
                "//api.paypal.com/c",
                "file:///etc/passwd",
                "https:api.paypal.com",
                "https://",
                "api.paypal.com",
                "https://api.paypal.com/ c"
            })
    void aCertificateFromElsewhereIsNotAskedFor(String address) {
        assertRefusedWithoutAsking(with(signed(), ADDRESS, address), "address");
    }

    @Test
    void anAddressWithoutAnEndIsNotAskedFor() {
        assertRefusedWithoutAsking(with(signed(), ADDRESS, HOST + "/" + "c".repeat(300)), "address");
    }

    @Test
    void aTimeThatIsTooFarAwayIsRefused() {
        Instant now = clock.instant();
        assertThat(send(signedBy("paypal", BODY, now.minus(TOLERANCE)), BODY)).matches(Verification::isValid);
        server.asked().clear();
        assertRefusedWithoutAsking(signedBy("paypal", BODY, now.minus(TOLERANCE).minusSeconds(1)), "timestamp");
        assertRefusedWithoutAsking(signedBy("paypal", BODY, now.plus(TOLERANCE).plusSeconds(1)), "timestamp");
        assertRefusedWithoutAsking(with(signed(), TIME, "yesterday"), "timestamp");
    }

    // --- the certificate

    @ParameterizedTest
    @ValueSource(strings = {"expired", "future", "of-a-stranger", "other-subject", "no-name", "of-a-leaf", "between"})
    void aCertificateThatIsNotPayPalsNowIsNotTrusted(String name) {
        server.put(CERTIFICATE, AUTHORITY.chain(name));
        assertRefused(signedBy(name, BODY, clock.instant()), "not trusted");
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void aCertificateWithoutTheOneThatLeadsToTheRootIsNotTrusted() {
        String chain = new String(AUTHORITY.chain("paypal"), StandardCharsets.US_ASCII);
        server.put(
                CERTIFICATE, chain.substring(0, chain.indexOf("-----BEGIN", 1)).getBytes(StandardCharsets.US_ASCII));
        assertRefused(signed(), "not trusted");
    }

    @Test
    void aCertificateOfPayPalsDoesNotSpeakForTheKeyOfAnother() {
        assertThat(send(signedBy("other-subject", BODY, clock.instant()), BODY)).isEqualTo(HeaderSignature.WRONG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not found", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
    void whatIsNoCertificateIsNotTrusted(String text) {
        server.put(CERTIFICATE, text.getBytes(StandardCharsets.US_ASCII));
        assertRefused(signed(), "cannot be fetched");
    }

    @Test
    void aFileThatIsTooLargeIsNotTrusted() {
        byte[] chain = AUTHORITY.chain("paypal");
        byte[] large = Arrays.copyOf(chain, HttpsDownload.MOST_BYTES + 1);
        Arrays.fill(large, chain.length, large.length, (byte) '\n');
        server.put(CERTIFICATE, large);
        assertRefused(signed(), "cannot be fetched");
    }

    @Test
    void aCertificateThatExpiresWhileItIsKnownIsFetchedAgain() {
        assertThat(send(signed(), BODY)).matches(Verification::isValid);
        clock.advance(Duration.ofDays(40));
        assertRefused(signed(), "not trusted");
        server.put(CERTIFICATE, AUTHORITY.chain("future"));
        clock.advance(CertifiedKeys.FAILURE_KEPT);
        assertThat(send(signedBy("future", BODY, clock.instant()), BODY)).matches(Verification::isValid);
        assertThat(server.asked()).hasSize(3);
    }

    // --- how often it is fetched

    @Test
    void aCertificateIsFetchedOnceForManyDeliveries() {
        for (int i = 0; i < 20; i++) {
            assertThat(send(signed(), BODY)).matches(Verification::isValid);
            clock.advance(Duration.ofHours(1));
        }
        assertThat(server.asked()).containsExactly(CERTIFICATE);
    }

    @Test
    void whoComesWhileACertificateIsFetchedWaitsForIt() {
        CountDownLatch gate = new CountDownLatch(1);
        server.holdUntil(gate);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<Verification>> sent = IntStream.range(0, 8)
                    .mapToObj(it -> CompletableFuture.supplyAsync(() -> send(signed(), BODY), threads))
                    .toList();
            await().until(() -> !server.asked().isEmpty());
            gate.countDown();
            assertThat(sent).allMatch(it -> it.join().isValid());
            assertThat(server.asked()).containsExactly(CERTIFICATE);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aFetchThatFailedIsNotRepeatedAtOnce() {
        Map<String, String> elsewhere = with(signed(), ADDRESS, HOST + "/later");
        assertRefused(elsewhere, "cannot be fetched");
        server.put("/later", AUTHORITY.chain("paypal"));
        clock.advance(CertifiedKeys.FAILURE_KEPT.minusMillis(1));
        assertRefused(elsewhere, "cannot be fetched");
        assertThat(server.asked()).hasSize(1);
        clock.advance(Duration.ofMillis(1));
        assertThat(send(elsewhere, BODY)).matches(Verification::isValid);
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void inventedAddressesAreAskedForAFewTimesAMinuteAndCostNoKnownKey() {
        assertThat(send(signed(), BODY)).matches(Verification::isValid);
        server.asked().clear();
        for (int i = 0; i < 3 * CertifiedKeys.MOST_TRIED; i++) {
            assertRefused(with(signed(), ADDRESS, HOST + "/invented/" + i), "cannot be fetched");
        }
        assertThat(server.asked()).hasSize(CertifiedKeys.MOST_TRIED);
        assertThat(send(signed(), BODY)).matches(Verification::isValid);
        assertThat(server.asked()).hasSize(CertifiedKeys.MOST_TRIED);
        clock.advance(CertifiedKeys.FAILURE_KEPT);
        assertRefused(with(signed(), ADDRESS, HOST + "/invented/again"), "cannot be fetched");
        assertThat(server.asked()).hasSize(CertifiedKeys.MOST_TRIED + 1);
    }

    @Test
    void ofManyCertificatesTheOneThatNobodyAskedForLongestIsFetchedAgain() {
        for (int i = 0; i <= CertifiedKeys.MOST_KNOWN; i++) {
            server.put("/many/" + i, AUTHORITY.chain("paypal"));
            assertThat(send(with(signed(), ADDRESS, HOST + "/many/" + i), BODY)).matches(Verification::isValid);
        }
        server.asked().clear();
        assertThat(send(with(signed(), ADDRESS, HOST + "/many/1"), BODY)).matches(Verification::isValid);
        assertThat(server.asked()).isEmpty();
        assertThat(send(with(signed(), ADDRESS, HOST + "/many/0"), BODY)).matches(Verification::isValid);
        assertThat(server.asked()).containsExactly("/many/0");
    }

    @Test
    void theJdkTrustsRootsOfItsOwnAndNotTheTests() {
        assertThat(JdkTrust.anchors()).isNotEmpty().doesNotContainAnyElementsOf(AUTHORITY.anchors());
    }
}
