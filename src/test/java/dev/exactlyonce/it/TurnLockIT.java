package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.store.redis.RedisProcess;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers and one Redis: for each session one turn at a time over both. What runs at once is counted outside. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class TurnLockIT {
    private static final int SESSIONS = 8;
    private static final int MESSAGES = Integer.getInteger("deliveries", 200) / SESSIONS;
    private static final Duration TTL = Duration.ofSeconds(3);

    private static final RedisProcess REDIS = RedisProcess.start();

    private final Http a = new Http(Node.a("/turns/api"));
    private final Http b = new Http(Node.b("/turns/api"));
    private final Server serverB = new Server("nodeB");

    @ArquillianResource
    ContainerController servers;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "a", testable = false)
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
                Wars.withRedis(Wars.of("turns", Handlers.App.class, TurnResource.class, EffectsClient.class)),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=memory",
                "exactlyonce.turn-lock.backend=redis",
                "exactlyonce.turn-lock.url=redis://127.0.0.1:" + REDIS.port(),
                "exactlyonce.turn-lock.ttl=" + TTL,
                "exactlyonce.turn-lock.wait=PT2S",
                "exactlyonce.redis.timeout=PT2S");
    }

    @BeforeEach
    void awaitRedis() {
        awaitRedisAt(a);
    }

    /** Runs a test that needs the second replica. */
    private void onBoth(Runnable test) {
        serverB.start(servers);
        deployer.deploy("b");
        try {
            awaitRedisAt(b);
            test.run();
        } finally {
            deployer.undeploy("b");
        }
    }

    private static void awaitRedisAt(Http replica) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Http.send(turn(replica, "first")).body().startsWith("held=true"));
    }

    private static HttpRequest turn(Http to, String path) {
        return to.request("/turns/" + path).POST(BodyPublishers.noBody()).build();
    }

    private static CompletableFuture<HttpResponse<String>> begin(Http to, String session, String gate) {
        CompletableFuture<HttpResponse<String>> turn = Http.sendAsync(turn(to, session + "/gate/" + gate));
        await().until(() -> Effects.SHARED.count(gate + "-begun") == 1);
        return turn;
    }

    @Test
    void messagesOfOneSessionNeverRunAtTheSameTimeOverBoth() {
        onBoth(() -> {
            List<String> sessions =
                    IntStream.range(0, SESSIONS).mapToObj(i -> "alice" + i).toList();
            List<CompletableFuture<HttpResponse<String>>> messages = IntStream.range(0, MESSAGES)
                    .boxed()
                    .flatMap(i -> sessions.stream().map(it -> Http.sendAsync(turn(i % 2 == 0 ? a : b, it))))
                    .toList();
            assertThat(messages).allSatisfy(it -> assertThat(it.join().body()).isEqualTo("held=true written=true"));
            assertThat(sessions)
                    .allSatisfy(it -> assertThat(Effects.SHARED.mostAtOnce(it)).isEqualTo(1));
        });
    }

    private static HttpRequest delivery(Http to, String path, String id) {
        return to.request("/turns/any/" + path)
                .header("Idempotency-Key", id)
                .POST(BodyPublishers.noBody())
                .build();
    }

    @Test
    void deliveriesOfOneCustomerNeverRunAtTheSameTimeOverBothAndEachRunsOnce() {
        onBoth(() -> {
            List<CompletableFuture<HttpResponse<String>>> deliveries = IntStream.range(0, MESSAGES)
                    .mapToObj(i -> Http.sendAsync(delivery(i % 2 == 0 ? a : b, "serialised?customer=bob", "bob-" + i)))
                    .toList();
            assertThat(deliveries).allSatisfy(it -> assertThat(it.join().body()).isEqualTo("held=true written=true"));
            assertThat(Effects.SHARED.mostAtOnce("bob")).isEqualTo(1);
            assertThat(Http.send(delivery(a, "serialised?customer=bob", "bob-0"))
                            .body())
                    .isEqualTo("{\"status\":\"duplicate\"}");
        });
    }

    @Test
    void aDeliveryThatWaitsTooLongIsSentAwayUnclaimedAndItsCopyDoesNotWait() {
        CompletableFuture<HttpResponse<String>> first =
                Http.sendAsync(delivery(a, "held/carol?customer=carol", "carol-1"));
        await().until(() -> Effects.SHARED.count("carol-begun") == 1);
        assertThat(Http.send(delivery(a, "held/carol?customer=carol", "carol-1"))
                        .statusCode())
                .isEqualTo(409);
        HttpResponse<String> busy = Http.send(delivery(a, "serialised?customer=carol", "carol-2"));
        assertThat(busy.statusCode()).isEqualTo(503);
        assertThat(busy.headers().firstValue("Retry-After")).contains("1");
        Effects.SHARED.open("carol");
        assertThat(first.join().body()).isEqualTo("ran");
        assertThat(Http.send(delivery(a, "serialised?customer=carol", "carol-2"))
                        .body())
                .isEqualTo("held=true written=true");
    }

    @Test
    void aDeliveryWithoutASessionIsRefusedOrWaitsForNoOther() {
        assertThat(Http.send(delivery(a, "serialised", "dave-1")).body())
                .contains("No session: looked for query:customer.");
        assertThat(Http.send(delivery(a, "own", "dave-2")).body()).isEqualTo("ran");
    }

    @Test
    void theTurnOfAServerThatDiedIsFreeAfterItsTtl() {
        onBoth(() -> {
            CompletableFuture<HttpResponse<String>> dead = begin(b, "killed", "killed-turn");
            serverB.kill(servers);
            assertThat(dead).failsWithin(Duration.ofSeconds(30));
            assertThat(Http.send(turn(a, "killed")).body()).isEqualTo("held=true written=true");
            serverB.start(servers);
        });
    }

    @Test
    void aServerThatStoodStillPastItsTtlKnowsItAndItsWriteIsRefused() {
        onBoth(() -> {
            CompletableFuture<HttpResponse<String>> paused = begin(b, "paused", "paused-turn");
            serverB.pause();
            try {
                assertThat(Http.send(turn(a, "paused")).body()).isEqualTo("held=true written=true");
            } finally {
                serverB.resume();
                Effects.SHARED.open("paused-turn");
            }
            assertThat(paused.join().body()).isEqualTo("held=false written=false");
        });
    }

    @Test
    void aTurnThatTakesLongerThanItsTtlIsRenewed() {
        onBoth(() -> {
            CompletableFuture<HttpResponse<String>> holder = begin(a, "long", "long-turn");
            CompletableFuture<HttpResponse<String>> next = Http.sendAsync(turn(b, "long"));
            await().during(TTL.plus(TTL)).atMost(TTL.multipliedBy(3)).until(() -> !next.isDone());
            Effects.SHARED.open("long-turn");
            assertThat(holder.join().body()).isEqualTo("held=true written=true");
            assertThat(next.join().body()).isEqualTo("held=true written=true");
            assertThat(Effects.SHARED.mostAtOnce("long")).isEqualTo(1);
        });
    }

    @Test
    void withoutRedisTurnsAreSerialisedPerReplicaAndReadinessSaysSoUntilItIsBack() {
        REDIS.kill();
        List<CompletableFuture<HttpResponse<String>>> messages = IntStream.range(0, 8)
                .mapToObj(i -> Http.sendAsync(turn(a, "outage")))
                .toList();
        assertThat(messages).allSatisfy(it -> assertThat(it.join().body()).startsWith("held=false"));
        assertThat(Effects.SHARED.mostAtOnce("outage")).isEqualTo(1);
        Http node = new Http("http://localhost:" + Node.A);
        assertThat(node.get("/health/ready").body())
                .contains("capability:turn_lock:redis", "turn_lock:redis unavailable (turns serialised per replica)");
        REDIS.restart();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(node.get("/health/ready").body()).doesNotContain("turn_lock:redis unavailable"));
        assertThat(Http.send(turn(a, "outage")).body()).startsWith("held=true");
    }
}
