package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.config.PresetsSignedHereTest;
import dev.exactlyonce.config.SignedDelivery;
import dev.exactlyonce.gateway.GatewayApplication;
import dev.exactlyonce.gateway.HookResource;
import dev.exactlyonce.gateway.Relay;
import dev.exactlyonce.gateway.WebhookReceived;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedRow;
import dev.exactlyonce.store.redis.RedisProcess;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every published vector, and a delivery of every sender without one, over two servers and one Redis: a source for each,
 * wide open to old timestamps.
 */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class SignaturesIT {
    private static final int A = Node.A;
    private static final int B = Node.B;
    private static final RedisProcess REDIS = RedisProcess.start();

    /** A signed request, as it is sent. */
    private record Sent(
            String what,
            boolean isValid,
            Map<String, String> settings,
            String query,
            Map<String, String> headers,
            String body) {
        static Sent of(SignedRow row) {
            return new Sent(
                    row.preset() + ", " + row.name(),
                    row.isValid(),
                    row.settings(),
                    row.rawQuery(),
                    row.headers(),
                    row.body());
        }

        static Sent of(SignedDelivery it) {
            return new Sent(it.settings().get("preset"), true, it.settings(), it.query(), it.headers(), it.body());
        }

        /** With one bit of the body changed; of what signs no body, with another token, or another signed id. */
        Sent tampered() {
            if (PresetsSignedHereTest.signsTheBody(settings.get("preset"))) {
                return new Sent(what, false, settings, query, headers, other(body));
            }
            if (headers.isEmpty() && query.isEmpty()) {
                String secret = settings.get("secret");
                return new Sent(what, false, settings, query, headers, body.replace(secret, secret + "x"));
            }
            return new Sent(
                    what,
                    false,
                    settings,
                    query.isEmpty() ? query : query + "x&" + query,
                    headers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue() + "x")),
                    body);
        }

        private static String other(String body) {
            return body.isEmpty() ? "x" : (char) (body.charAt(0) ^ 1) + body.substring(1);
        }
    }

    private static final List<Sent> SENT = Stream.concat(
                    SignedRow.all().stream().map(Sent::of),
                    PresetsSignedHereTest.all().stream().map(Sent::of))
            .toList();

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "signatures-a", managed = false, testable = false)
    @TargetsContainer("nodeA")
    static WebArchive onA() {
        return gateway();
    }

    @Deployment(name = "signatures-b", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive onB() {
        return gateway();
    }

    private static WebArchive gateway() {
        List<String> lines = new ArrayList<>(List.of(
                "exactlyonce.store=redis",
                "exactlyonce.redis.url=redis://127.0.0.1:" + REDIS.port(),
                "exactlyonce.redis.timeout=PT5S", // how long Redis may take is not the question here
                "exactlyonce.sources="
                        + IntStream.range(0, SENT.size())
                                .mapToObj(SignaturesIT::name)
                                .collect(Collectors.joining(","))));
        for (int i = 0; i < SENT.size(); i++) {
            String source = "exactlyonce.source." + name(i) + ".";
            SENT.get(i).settings().forEach((key, value) -> lines.add(source + key + "=" + value));
            if (!SENT.get(i).settings().get("preset").equals("mailgun")) {
                lines.add(source + "key=body"); // the vectors have no ids
            }
            lines.add(source + "ttl=PT1H");
            if (Preset.find(SENT.get(i).settings().get("preset"))
                    .orElseThrow()
                    .line("tolerance")
                    .isPresent()) {
                lines.add(source + "tolerance=P36500D");
            }
        }
        return Wars.configured(
                Wars.withRedis(Wars.of(
                        "signatures",
                        GatewayApplication.class,
                        HookResource.class,
                        Relay.class,
                        WebhookReceived.class)),
                lines.toArray(String[]::new));
    }

    private static String name(int number) {
        return "v" + number;
    }

    @BeforeEach
    void deployOnBoth() {
        new Server("nodeB").start(servers);
        deployer.deploy("signatures-a");
        deployer.deploy("signatures-b");
        for (int port : new int[] {A, B}) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(new Http("http://localhost:" + port)
                                    .get("/health/ready")
                                    .body())
                            .contains("\"store\":\"redis\"", "\"degraded\":false"));
        }
    }

    @AfterEach
    void takeDown() {
        deployer.undeploy("signatures-a");
        deployer.undeploy("signatures-b");
    }

    private static CompletableFuture<HttpResponse<String>> send(int port, int number, Sent it) {
        HttpRequest.Builder request = new Http("http://localhost:" + port + "/signatures")
                .request("/hooks/" + name(number) + (it.query().isEmpty() ? "" : "?" + it.query()))
                .POST(BodyPublishers.ofString(it.body()));
        it.headers().forEach(request::header);
        return Http.sendAsync(request.build());
    }

    /** The same with blanks and tabs around each header's value, which are no part of it. */
    private static String withBlanks(int port, int number, Sent it) {
        Map<String, String> headers = new HashMap<>();
        it.headers().forEach((name, value) -> headers.put(name, " \t" + value + " \t "));
        return RawHttp.post(
                URI.create("http://localhost:" + port + "/signatures/hooks/" + name(number)
                        + (it.query().isEmpty() ? "" : "?" + it.query())),
                headers,
                it.body());
    }

    @Test
    void whatASenderSignedIsAdmittedOnceOverBothAlsoWithBlanksBehindItsHeadersAndAFlippedBitIsRefused() {
        assertThat(SENT.stream().map(it -> it.settings().get("preset"))).contains(everyButTheGeneric());
        for (int i = 0; i < SENT.size(); i++) {
            Sent sent = SENT.get(i);
            assertThat(send(A, i, sent.tampered()).join().statusCode())
                    .as(sent.what())
                    .isEqualTo(401);
            CompletableFuture<HttpResponse<String>> one = send(A, i, sent);
            CompletableFuture<HttpResponse<String>> other = send(B, i, sent);
            if (!sent.isValid()) {
                assertThat(List.of(one.join().statusCode(), other.join().statusCode()))
                        .as(sent.what())
                        .containsOnly(401);
                continue;
            }
            assertThat(List.of(one.join().body(), other.join().body()))
                    .as(sent.what())
                    .containsOnlyOnce("{\"status\":\"ok\"}");
            for (int port : new int[] {A, B}) {
                assertThat(withBlanks(port, i, sent)).as(sent.what()).contains("{\"status\":\"duplicate\"}");
            }
        }
    }

    /** Nor those whose private keys only their senders have: PayPalSignatureTest and OidcTokenTest prove them with keys of their own. */
    private static String[] everyButTheGeneric() {
        Set<String> others =
                Set.of(Preset.GENERIC, "paypal", "google-pubsub", "aws-sns", "unsigned", "mollie", "klarna");
        return Preset.NAMES.stream().filter(it -> !others.contains(it)).toArray(String[]::new);
    }
}
