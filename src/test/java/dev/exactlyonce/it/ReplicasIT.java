package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.store.redis.RedisProcess;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers and one Redis: every delivery is admitted once over both. Effects are counted outside. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ReplicasIT {
    private static final int DELIVERIES = Integer.getInteger("deliveries", 200);
    private static final int COPIES = 8;
    private static final int AT_ONCE = 4;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int LEASES = Integer.getInteger("leases");

    /** Of server B, so that few requests use them all up. */
    private static final int THREADS = 8;

    private static final RedisProcess REDIS = RedisProcess.start();

    private final Http a = new Http(Node.a("/replicas/api"));
    private final Http b = new Http(Node.b("/replicas/api"));
    private final Server serverB = new Server("nodeB");
    private static ServerConfig smallServer;

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "a", managed = false, testable = false)
    @TargetsContainer("nodeA")
    static WebArchive onA() {
        return application();
    }

    @Deployment(name = "b", managed = false, testable = false)
    @TargetsContainer("nodeB")
    static WebArchive onB() {
        return application();
    }

    private static WebArchive application() {
        return Wars.configured(
                Wars.withRedis(Wars.of(
                        "replicas",
                        Handlers.App.class,
                        Handlers.Runs.class,
                        Handlers.RunsResource.class,
                        Handlers.WithEffects.class,
                        EffectsClient.class)),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=redis",
                "exactlyonce.redis.url=redis://127.0.0.1:" + REDIS.port(),
                "exactlyonce.redis.timeout=PT5S", // how long Redis may take is not the question here
                "exactlyonce.source.short.lease=" + LEASE);
    }

    @BeforeEach
    void deployOnBoth() throws IOException {
        if (smallServer == null) {
            smallServer = ServerConfig.add(
                    "nodeB", "<executor coreThreads=\"%1$d\" maxThreads=\"%1$d\"/>".formatted(THREADS));
            serverB.stop(servers);
        }
        serverB.start(servers);
        deployer.deploy("a");
        deployer.deploy("b");
        awaitRedisAt(Node.A);
        awaitRedisAt(Node.B);
    }

    private static void awaitRedisAt(int port) {
        Http node = new Http("http://localhost:" + port);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(node.get("/health/ready").body())
                        .contains("\"store\":\"redis\"", "\"degraded\":false"));
    }

    @AfterEach
    void takeDown() {
        deployer.undeploy("a");
        deployer.undeploy("b");
    }

    @AfterAll
    static void removeConfiguration() throws IOException {
        smallServer.close();
    }

    private static HttpRequest delivery(Http to, String path, String effect) {
        return to.request("/effects/" + path)
                .header("Idempotency-Key", effect)
                .POST(BodyPublishers.ofString(effect))
                .build();
    }

    private static HttpResponse<String> send(Http to, String path, String effect) {
        return Http.send(delivery(to, path, effect));
    }

    @Test
    void deliveriesInEightConcurrentCopiesOverBothHaveEachEffectOnce() {
        List<String> effects =
                IntStream.range(0, DELIVERIES).mapToObj(i -> "both-" + i).toList();
        for (int from = 0; from < DELIVERIES; from += AT_ONCE) {
            List<CompletableFuture<HttpResponse<String>>> copies =
                    effects.subList(from, Math.min(from + AT_ONCE, DELIVERIES)).stream()
                            .flatMap(effect -> IntStream.range(0, COPIES)
                                    .mapToObj(
                                            copy -> Http.sendAsync(delivery(copy % 2 == 0 ? a : b, "happen", effect))))
                            .toList();
            assertThat(copies)
                    .allSatisfy(copy -> assertThat(copy.join().statusCode()).isIn(200, 409));
        }
        assertThat(Effects.SHARED.counts(effects)).containsOnly(1);
        assertThat(effects)
                .allSatisfy(
                        effect -> assertThat(send(a, "happen", effect).body()).isEqualTo("{\"status\":\"duplicate\"}"))
                .allSatisfy(
                        effect -> assertThat(send(b, "happen", effect).body()).isEqualTo("{\"status\":\"duplicate\"}"));
    }

    @Test
    void aDeliveryThatDiedWithItsServerRunsOnTheOtherOnceItsLeaseHasEnded() {
        CompletableFuture<HttpResponse<String>> interrupted = Http.sendAsync(delivery(b, "slow", "killed"));
        await().until(() -> Effects.SHARED.count("killed-begun") == 1);
        serverB.kill(servers);
        assertThat(interrupted).failsWithin(Duration.ofSeconds(30));
        Effects.SHARED.open("killed");

        await().atMost(LEASE.multipliedBy(10)).until(() -> {
            HttpResponse<String> retry = send(a, "slow", "killed");
            assertThat(retry.statusCode()).isIn(200, 409);
            return retry.statusCode() == 200;
        });
        assertThat(Effects.SHARED.count("killed-begun")).isEqualTo(2);
        assertThat(Effects.SHARED.count("killed")).isEqualTo(1);
        serverB.start(servers);
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> send(b, "slow", "killed").body().equals("{\"status\":\"duplicate\"}"));
    }

    @Test
    void aHandlerOfManyLeasesRunsOnceWhileCopiesArriveThroughout() {
        String lostBefore = events(a, "LeaseLost");
        CompletableFuture<HttpResponse<String>> first = Http.sendAsync(delivery(a, "slow", "long"));
        await().until(() -> Effects.SHARED.count("long-begun") == 1);
        await().during(LEASE.multipliedBy(LEASES))
                .atMost(LEASE.multipliedBy(LEASES + 5))
                .until(() -> send(b, "slow", "long").statusCode() == 409
                        && send(a, "slow", "long").statusCode() == 409);
        Effects.SHARED.open("long");

        assertThat(first.join().body()).isEqualTo("ok");
        assertThat(send(b, "slow", "long").body()).isEqualTo("{\"status\":\"duplicate\"}");
        assertThat(Effects.SHARED.count("long-begun")).isEqualTo(1);
        assertThat(Effects.SHARED.count("long")).isEqualTo(1);
        assertThat(events(a, "LeaseLost")).isEqualTo(lostBefore);
    }

    @Test
    void aServerWithMoreRequestsThanThreadsLosesNoLeaseAndNoKeyToAnother() {
        String lostBefore = events(b, "LeaseLost");
        List<String> effects =
                IntStream.range(0, 3 * THREADS).mapToObj(i -> "busy-" + i).toList();
        List<CompletableFuture<HttpResponse<String>>> deliveries = effects.stream()
                .map(effect -> Http.sendAsync(delivery(b, "slow", effect)))
                .toList();
        await().until(() -> begun(effects).size() >= THREADS / 2);
        await().during(LEASE.multipliedBy(3))
                .atMost(LEASE.multipliedBy(6))
                .until(() -> begun(effects).stream()
                        .allMatch(effect -> send(a, "slow", effect).statusCode() == 409));
        effects.forEach(Effects.SHARED::open);

        assertThat(deliveries)
                .allSatisfy(delivery -> assertThat(delivery.join().statusCode()).isEqualTo(200));
        assertThat(Effects.SHARED.counts(effects)).containsOnly(1);
        assertThat(begun(effects)).isEqualTo(effects);
        assertThat(events(b, "LeaseLost")).isEqualTo(lostBefore);
    }

    private static String events(Http at, String type) {
        return at.get("/runs/events/" + type).body();
    }

    private static List<String> begun(List<String> effects) {
        return effects.stream()
                .filter(it -> Effects.SHARED.count(it + "-begun") == 1)
                .toList();
    }

    @Test
    void aServerThatStoodStillPastItsLeaseIsSupersededAndOverwritesNothing() {
        int supersededBefore = Integer.parseInt(events(b, "DeliverySuperseded"));
        CompletableFuture<HttpResponse<String>> stopped = Http.sendAsync(delivery(b, "slow", "stopped"));
        await().until(() -> Effects.SHARED.count("stopped-begun") == 1);
        serverB.pause();
        Effects.SHARED.open("stopped");
        String key = "exactlyonce:hookidem:short:POST/replicas/api/effects/slow:stopped";
        try {
            await().atMost(LEASE.multipliedBy(10))
                    .until(() -> send(a, "slow", "stopped").statusCode() == 200);
            assertThat(REDIS.command("GET", key)).startsWith("1|recorded|");
        } finally {
            serverB.resume();
        }
        String record = REDIS.command("GET", key);
        assertThat(stopped.join().statusCode()).isEqualTo(200);

        assertThat(REDIS.command("GET", key)).isEqualTo(record);
        assertThat(events(b, "DeliverySuperseded")).isEqualTo(Integer.toString(supersededBefore + 1));
        assertThat(send(b, "slow", "stopped").body()).isEqualTo("{\"status\":\"duplicate\"}");
    }
}
