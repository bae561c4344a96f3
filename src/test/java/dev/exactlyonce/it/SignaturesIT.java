package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.config.PresetsSignedHereTest;
import dev.exactlyonce.gateway.GatewayApplication;
import dev.exactlyonce.gateway.HookResource;
import dev.exactlyonce.gateway.Relay;
import dev.exactlyonce.gateway.WebhookReceived;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedRow;
import dev.exactlyonce.store.redis.RedisProcess;
import dev.exactlyonce.testkit.Together;
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
import java.util.concurrent.ConcurrentSkipListMap;
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
    private static final int CLIENTS = 8;
    private static final int MUTATIONS = Integer.getInteger("mutations");
    private static final RedisProcess REDIS = RedisProcess.start();

    private static final List<SignedRequest> SENT = Stream.concat(
                    SignedRow.all().stream().map(SignedRequest::of),
                    PresetsSignedHereTest.all().stream().map(SignedRequest::of))
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
                "effects.url=" + Effects.SHARED.url(),
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
                        WebhookReceived.class,
                        DeliveryCounter.class,
                        EffectsClient.class)),
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

    private static CompletableFuture<HttpResponse<String>> send(int port, int number, SignedRequest it) {
        HttpRequest.Builder request = new Http("http://localhost:" + port + "/signatures")
                .request("/hooks/" + name(number) + (it.query().isEmpty() ? "" : "?" + it.query()))
                .POST(BodyPublishers.ofString(it.body()));
        it.headers().forEach(request::header);
        return Http.sendAsync(request.build());
    }

    /** The same with blanks and tabs around each header's value, which are no part of it. */
    private static String withBlanks(int port, int number, SignedRequest it) {
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
            SignedRequest sent = SENT.get(i);
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

    @Test
    void ofMutatedRequestsNoneIsAcceptedAndNoneIsAnErrorOfTheServer() throws Exception {
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        System.out.println("fuzz.seed=" + seed);
        List<Integer> valid = IntStream.range(0, SENT.size())
                .filter(it -> SENT.get(it).isValid())
                .boxed()
                .toList();
        valid.forEach(it -> send(A, it, SENT.get(it)).join());
        Mutations mutations = new Mutations(SENT, valid, seed);
        Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
        Together.run(CLIENTS, client -> {
            for (int number = client; number < MUTATIONS; number += CLIENTS) {
                int port = number / CLIENTS % 2 == 0 ? A : B;
                answers.merge(mutations.make(number).refusedBy(port, "fuzz.seed=" + seed), 1, Integer::sum);
            }
            return client;
        });
        System.out.println("mutated requests by their answers: " + answers);
        assertThat(Effects.SHARED.counts(
                        valid.stream().map(it -> "received-" + name(it)).toList()))
                .as("fuzz.seed=%s", seed)
                .containsOnly(1);
    }

    /** Nor those whose private keys only their senders have: PayPalSignatureTest and OidcTokenTest prove them with keys of their own. */
    private static String[] everyButTheGeneric() {
        Set<String> others =
                Set.of(Preset.GENERIC, "paypal", "google-pubsub", "aws-sns", "unsigned", "mollie", "klarna");
        return Preset.NAMES.stream().filter(it -> !others.contains(it)).toArray(String[]::new);
    }
}
