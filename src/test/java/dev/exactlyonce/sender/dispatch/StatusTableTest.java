package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.http.Certificate;
import dev.exactlyonce.sender.http.Receiver;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.Transport;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link ResponseClassifier}'s table, from the socket to what is written down. */
@Timeout(60)
class StatusTableTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Pattern PATH = Pattern.compile("POST /(\\d+)(?:/(\\S+))? HTTP/1.1");
    private static final ApacheTransport TRANSPORT =
            new ApacheTransport(Duration.ofSeconds(20), Duration.ofSeconds(40));
    private static final Receiver RECEIVER = Receiver.start(StatusTableTest::asItsPathSays);
    private static final ClaimedEvent EVENT = new ClaimedEvent(
            1,
            "owner",
            new OutgoingEvent(
                    "receiver", new EventKey("run:paid:0"), Map.of(), "{}".getBytes(StandardCharsets.US_ASCII)),
            new ClaimedEvent.Round(1, NOW, Duration.ZERO));

    /** {@code /503/120} is a 503 with {@code Retry-After: 120}. */
    private static void asItsPathSays(Receiver.Request request, OutputStream out) throws Exception {
        Matcher path = PATH.matcher(request.line());
        assertThat(path.matches()).isTrue();
        int status = Integer.parseInt(path.group(1));
        Receiver.Script script = path.group(2) == null
                ? Receiver.status(status)
                : Receiver.status(status, "Retry-After: " + path.group(2));
        script.answer(request, out);
    }

    @BeforeAll
    static void warmUp() {
        assertThat(carry(TRANSPORT, RECEIVER.at("/200"))).isInstanceOf(AttemptResult.Succeeded.class);
    }

    @AfterAll
    static void close() throws Exception {
        TRANSPORT.close();
        RECEIVER.close();
    }

    private static AttemptResult carry(Transport transport, URI url) {
        return carry(transport, Receiver.endpoint(url));
    }

    private static AttemptResult carry(Transport transport, Endpoint endpoint) {
        return new AttemptExecutor(transport, InstantSource.fixed(NOW), () -> 0)
                .execute(endpoint, EndpointCircuitBreaker.NONE, false, EVENT, EVENT::roundAge);
    }

    private static String kind(AttemptResult outcome) {
        String kind = outcome.getClass().getSimpleName();
        return outcome.isEndpointGone() ? kind + " and gone" : kind;
    }

    private static void isAgain(AttemptResult outcome, String word) {
        assertThat(kind(outcome)).isEqualTo("RetryLater");
        assertThat(outcome.made()).contains(new Attempt(1, NOW, word));
    }

    @ParameterizedTest(name = "{0} with Retry-After {1}: {2}")
    @CsvSource({
        "200,, Succeeded",
        "201,, Succeeded",
        "202,, Succeeded",
        "204,, Succeeded",
        "299,, Succeeded",
        "200, 60, Succeeded",
        "300,, Exhausted",
        "301,, Exhausted",
        "302,, Exhausted",
        "303,, Exhausted",
        "304,, Exhausted",
        "307,, Exhausted",
        "308,, Exhausted",
        "301, 1, Exhausted",
        "400,, Exhausted",
        "401,, Exhausted",
        "403,, Exhausted",
        "404,, Exhausted",
        "405,, Exhausted",
        "406,, Exhausted",
        "409,, Exhausted",
        "409, 1, RetryLater",
        "409, 0, RetryLater",
        "409, soon, Exhausted",
        "409, 121, Exhausted",
        "410,, Exhausted and gone",
        "410, 1, Exhausted and gone",
        "411,, Exhausted",
        "413,, Exhausted",
        "413, 1, Exhausted",
        "415,, Exhausted",
        "422,, Exhausted",
        "423,, Exhausted",
        "499,, Exhausted",
        "408,, RetryLater",
        "425,, RetryLater",
        "429,, RetryLater",
        "429, 120, RetryLater",
        "429, 121, Exhausted",
        "429, soon, RetryLater",
        "500,, RetryLater",
        "500, 121, RetryLater",
        "501,, RetryLater",
        "502,, RetryLater",
        "503,, RetryLater",
        "503, 120, RetryLater",
        "503, 121, Exhausted",
        "503, -1, RetryLater",
        "504,, RetryLater",
        "599,, RetryLater",
        "600,, Exhausted",
        "999,, Exhausted"
    })
    void everyStatusHasItsConsequence(int status, String retryAfter, String kind) {
        String path = "/" + status + (retryAfter == null ? "" : "/" + retryAfter);

        AttemptResult outcome = carry(TRANSPORT, RECEIVER.at(path));

        assertThat(kind(outcome)).isEqualTo(kind);
        assertThat(outcome.made()).contains(new Attempt(1, NOW, Integer.toString(status)));
    }

    @Test
    void aRefusedConnectionIsRetried() throws Exception {
        int port;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = once.getLocalPort();
        }
        isAgain(carry(TRANSPORT, URI.create("http://localhost:" + port + "/")), "connect");
    }

    @Test
    void aNameThatIsNotKnownIsTriedAgain() {
        isAgain(carry(TRANSPORT, URI.create("http://nowhere.invalid/")), "dns");
    }

    @Test
    void aCertificateThatIsNotTrustedIsTriedAgain() throws Exception {
        try (Receiver stranger = Certificate.of("localhost").receiver(Receiver.status(200))) {
            isAgain(carry(TRANSPORT, stranger.at("/")), "tls");
        }
    }

    @Test
    void silenceIsTriedAgain() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (Receiver silent = Receiver.start((request, out) -> never.await());
                ApacheTransport hasty = new ApacheTransport(Duration.ofSeconds(1), Duration.ofSeconds(1))) {
            isAgain(carry(hasty, silent.at("/")), "no-answer");
        }
    }

    @Test
    void anAddressThatMustNotBeCalledIsDead() {
        AttemptResult outcome = carry(TRANSPORT, URI.create("http://169.254.169.254/latest/meta-data/"));

        assertThat(kind(outcome)).isEqualTo("Exhausted");
        assertThat(outcome.made()).contains(new Attempt(1, NOW, "address-refused"));
    }
}
