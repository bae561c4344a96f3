package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.config.Signer;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What senders ask before they send, and the addresses that they name, over HTTP. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ChallengesIT {
    private static final String SECRET = "sixteen-letters.";
    private static final String TOPIC = "arn:aws:sns:eu-west-1:123456789012:orders";
    private static final String PEM = "/SimpleNotificationService-0123456789abcdef.pem";

    /** By the preset, which is the source's name, too. */
    private static final Map<String, String> SECRETS = new TreeMap<>(Map.ofEntries(
            Map.entry("meta", SECRET),
            Map.entry("whatsapp", SECRET),
            Map.entry("dropbox", SECRET),
            Map.entry("nylas", SECRET),
            Map.entry("okta", SECRET),
            Map.entry("x", SECRET),
            Map.entry("linkedin", SECRET),
            Map.entry("microsoft-graph", SECRET),
            Map.entry("asana", SECRET),
            Map.entry("cloudevents", SECRET),
            Map.entry("azure-event-grid", SECRET),
            Map.entry("slack", SECRET),
            Map.entry("zoom", SECRET),
            Map.entry("twitch", SECRET),
            Map.entry("front", SECRET),
            Map.entry("mailchimp", SECRET),
            Map.entry("aws-sns", TOPIC),
            Map.entry("paypal", "WH-1")));

    @Deployment(testable = false)
    static WebArchive application() {
        List<String> lines = new ArrayList<>(List.of(
                "exactlyonce.store=memory",
                "exactlyonce.sources=" + String.join(",", SECRETS.keySet()),
                "exactlyonce.source.meta.verify-token=typed",
                "exactlyonce.source.whatsapp.verify-token=typed",
                "exactlyonce.source.aws-sns.confirm-subscription=true"));
        SECRETS.forEach((name, secret) -> {
            lines.add("exactlyonce.source." + name + ".preset=" + name);
            lines.add("exactlyonce.source." + name + ".secret=" + secret);
        });
        return Wars.configured(Wars.of("challenges", App.class, Hooks.class), lines.toArray(String[]::new));
    }

    @ApplicationPath("/")
    public static class App extends Application {}

    @Path("/{source}")
    @RequestScoped
    public static class Hooks {
        @POST
        @ExactlyOnce("{source}")
        public String receive(String body) {
            return "ran";
        }
    }

    private static WireHttp.Answer send(String method, String target, Map<String, String> headers, String body) {
        return WireHttp.send(Node.A, method, "/challenges/" + target, headers, body);
    }

    /** CHALLENGE stands for what comes back. */
    private static WireHttp.Answer ask(String request, String challenge) {
        String[] words = request.replace("CHALLENGE", challenge).split(" ", 3);
        Map<String, String> headers =
                words.length < 3 ? Map.of() : Map.of(words[2].split(": ", 2)[0], words[2].split(": ", 2)[1]);
        return send(words[0], words[1], headers, "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GET meta?hub.mode=subscribe&hub.verify_token=typed&hub.challenge=CHALLENGE; CHALLENGE",
                "GET whatsapp?hub.mode=subscribe&hub.verify_token=typed&hub.challenge=CHALLENGE; CHALLENGE",
                "GET dropbox?challenge=CHALLENGE; CHALLENGE",
                "GET nylas?challenge=CHALLENGE; CHALLENGE",
                "GET okta x-okta-verification-challenge: CHALLENGE; {\"verification\":\"CHALLENGE\"}",
                "GET x?crc_token=CHALLENGE; {\"response_token\":\"sha256=BASE64\"}",
                "GET linkedin?challengeCode=CHALLENGE;"
                        + " {\"challengeCode\":\"CHALLENGE\",\"challengeResponse\":\"HEX\"}",
                "POST microsoft-graph?validationToken=CHALLENGE; CHALLENGE",
                "POST asana X-Hook-Secret: CHALLENGE; X-Hook-Secret: CHALLENGE",
                "OPTIONS cloudevents WebHook-Request-Origin: CHALLENGE; WebHook-Allowed-Origin: CHALLENGE",
                "OPTIONS azure-event-grid WebHook-Request-Origin: CHALLENGE; WebHook-Allowed-Origin: CHALLENGE"
            })
    void aChallengeIsAnsweredAndNothingButItsAlphabetComesBack(String request, String expected) {
        String challenge = "Abc-123";
        String answer = expected.replace("CHALLENGE", challenge)
                .replace("HEX", Signer.hex(SECRET, challenge))
                .replace("BASE64", Signer.base64(SECRET, challenge));
        WireHttp.Answer right = ask(request, challenge);
        assertThat(right.status()).as(right.head()).isEqualTo(200);
        assertThat(right.head() + "\r\n\r\n" + right.body())
                .contains(answer)
                .containsIgnoringCase("X-Content-Type-Options: nosniff");
        for (char c : "\"'<>|\\^`{}[]()*\u0080\u00e4\u00ff".toCharArray()) { // ChallengeTest has every character
            WireHttp.Answer refused = ask(request, "a" + c + "zq9");
            assertThat(refused.status()).as("%s with %x", request, (int) c).isBetween(400, 499);
            assertThat(refused.head() + refused.body()).doesNotContain("zq9");
        }
        WireHttp.Answer coded = ask(request, "%3Cscript%3Ezq9");
        assertThat(coded.status()).isBetween(400, 499);
        assertThat(coded.head() + coded.body()).doesNotContain("zq9");
    }

    @Test
    void anAddressThatIsOnlyLookedForIsThere() {
        assertThat(send("GET", "mailchimp", Map.of(), "").status()).isEqualTo(200);
        assertThat(send("HEAD", "mailchimp", Map.of(), "").status()).isEqualTo(200);
        assertThat(send("POST", "mailchimp", Map.of(), "{}").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Abc-123", "<script>zq9", "a b", "a\\\"b", "\\u0000zq9"})
    void aSignedHandshakeIsAnsweredWhenItsChallengeIsOfItsAlphabet(String challenge) {
        int status = challenge.equals("Abc-123") ? 200 : 400;
        String time = Long.toString(Instant.now().getEpochSecond());
        String slack = "{\"type\":\"url_verification\",\"challenge\":\"" + challenge + "\"}";
        assertHandshake(
                status,
                "slack",
                Map.of(
                        "X-Slack-Signature",
                        "v0=" + Signer.hex(SECRET, "v0:" + time + ":" + slack),
                        "X-Slack-Request-Timestamp",
                        time),
                slack);
        String zoom = "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"" + challenge + "\"}}";
        assertHandshake(
                status,
                "zoom",
                Map.of(
                        "x-zm-signature",
                        "v0=" + Signer.hex(SECRET, "v0:" + time + ":" + zoom),
                        "x-zm-request-timestamp",
                        time),
                zoom);
        String twitch = "{\"challenge\":\"" + challenge + "\"}";
        String sent = Instant.now().toString();
        assertHandshake(
                status,
                "twitch",
                Map.of(
                        "Twitch-Eventsub-Message-Type",
                        "webhook_callback_verification",
                        "Twitch-Eventsub-Message-Id",
                        "e1",
                        "Twitch-Eventsub-Message-Timestamp",
                        sent,
                        "Twitch-Eventsub-Message-Signature",
                        "sha256=" + Signer.hex(SECRET, "e1" + sent + twitch)),
                twitch);
        assertHandshake(
                status,
                "front",
                Map.of(
                        "X-Front-Challenge",
                        challenge,
                        "X-Front-Request-Timestamp",
                        time + "000",
                        "X-Front-Signature",
                        Signer.base64(SECRET, time + "000:{}")),
                "{}");
        String grid = "[{\"eventType\":\"Microsoft.EventGrid.SubscriptionValidationEvent\",\"data\":"
                + "{\"validationCode\":\"" + challenge + "\"}}]";
        assertHandshake(status, "azure-event-grid?code=" + SECRET, Map.of(), grid);
        assertThat(send("POST", "azure-event-grid?code=another", Map.of(), grid).status())
                .isEqualTo(401);
    }

    private static void assertHandshake(int status, String target, Map<String, String> headers, String body) {
        WireHttp.Answer answer = send("POST", target, headers, body);
        assertThat(answer.status()).as(target).isEqualTo(status);
        assertThat(answer.body()).doesNotContain("ran", "zq9");
    }

    private static List<String> foreign(String host, String path, int port) {
        String trap = "127.0.0.1:" + port;
        return List.of(
                "https://" + trap + path,
                "http://" + trap + path,
                "https://localhost:" + port + path,
                "https://" + host + "@" + trap + path,
                "https://" + host + ":443@" + trap + path,
                "https://" + trap + "#@" + host + path,
                "https://" + trap + "?@" + host + path,
                "https://" + trap + "\\\\@" + host + path,
                "https://" + host + ".127.0.0.1.nip.io:" + port + path,
                "https://user@" + host + path,
                "https://" + host + ":" + port + path,
                "https://" + host + ".evil.example" + path,
                "https://x" + host + path,
                "file:///etc/passwd");
    }

    @Test
    void aCertificateIsFetchedFromItsSenderAlone() throws IOException {
        try (ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int port = trap.getLocalPort();
            for (String address : foreign("sns.eu-west-1.amazonaws.com", PEM, port)) {
                for (String version : List.of("1", "2", "3")) {
                    assertThat(send("POST", "aws-sns", Map.of(), sns(address, version))
                                    .status())
                            .as(address)
                            .isEqualTo(401);
                }
            }
            for (String address : foreign("api.paypal.com", "/v1/notifications/certs/CERT-1", port)) {
                assertThat(send("POST", "paypal", payPal(address), "{\"id\":\"WH-1\"}")
                                .status())
                        .as(address)
                        .isEqualTo(401);
            }
            trap.setSoTimeout(1);
            assertThat(connections(trap)).isZero();
        }
    }

    private static int connections(ServerSocket trap) {
        int count = 0;
        while (true) {
            try {
                trap.accept().close();
                count++;
            } catch (SocketTimeoutException none) {
                return count;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String sns(String certificate, String version) {
        return "{\"Type\":\"SubscriptionConfirmation\",\"MessageId\":\"m\",\"Token\":\"t\",\"Message\":\"m\","
                + "\"SubscribeURL\":\"https://127.0.0.1/?Action=ConfirmSubscription\",\"Timestamp\":\""
                + Instant.now() + "\",\"TopicArn\":\"" + TOPIC + "\",\"SignatureVersion\":\"" + version
                + "\",\"Signature\":\"" + Signer.base64("forged".getBytes(StandardCharsets.UTF_8))
                + "\",\"SigningCertURL\":\"" + certificate + "\"}";
    }

    private static Map<String, String> payPal(String certificate) {
        return Map.of(
                "PAYPAL-TRANSMISSION-ID",
                "t1",
                "PAYPAL-TRANSMISSION-TIME",
                Instant.now().toString(),
                "PAYPAL-CERT-URL",
                certificate,
                "PAYPAL-AUTH-ALGO",
                "SHA256withRSA",
                "PAYPAL-TRANSMISSION-SIG",
                Signer.base64("forged".getBytes(StandardCharsets.UTF_8)));
    }
}
