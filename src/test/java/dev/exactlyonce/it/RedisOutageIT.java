package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.store.redis.RedisProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis is away, in all the ways that it can be: no delivery fails, and readiness says what is the matter. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RedisOutageIT {
    private static final String UNREACHABLE =
            "redis idempotency backend unreachable at runtime (dedup best-effort until it recovers)";
    private static final String NOT_AVAILABLE = "redis idempotency backend not available (running per-replica)";
    private static final String RESTARTED = "redis restarted or failed over (recent claims may be lost)";
    private static final String MAY_EVICT = "redis may evict claims";
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int OUTAGES = Integer.getInteger("outages");
    private static final RedisProcess REDIS = RedisProcess.start();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Http http = new Http(Node.a(""));
    private long longestMillis;

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "redis", testable = false)
    static WebArchive application() {
        return application("redis");
    }

    @Deployment(name = "billing", managed = false, testable = false)
    static WebArchive anotherApplication() {
        return application("billing");
    }

    private static WebArchive application(String name) {
        return Wars.configured(
                Wars.withRedis(Wars.of(name, Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class)),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=redis",
                "exactlyonce.redis.host=127.0.0.1",
                "exactlyonce.redis.port=" + REDIS.port(),
                "exactlyonce.lease=" + LEASE,
                "exactlyonce.source.short.on-outage=reject");
    }

    /** One deployment for all tests that leave it sound. */
    @BeforeEach
    void begin() {
        awaitSound();
    }

    @AfterEach
    void makeSound() {
        System.out.printf("the longest wait for an answer was %,d ms%n", longestMillis);
        if (!isSound()) {
            REDIS.restart();
            deployAnew();
        }
    }

    private void deployAnew() {
        deployer.undeploy("redis");
        deployer.deploy("redis");
    }

    private String readiness() {
        return http.get("/health/ready").body();
    }

    private HttpResponse<String> send(String path, String effect) {
        long began = System.nanoTime();
        try {
            return Http.send(http.request("/redis/api/effects/" + path)
                    .timeout(LONGEST_ANSWER)
                    .header("Idempotency-Key", effect)
                    .POST(BodyPublishers.ofString(effect))
                    .build());
        } finally {
            longestMillis = Math.max(longestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        }
    }

    private static String fresh() {
        return "redis-" + NUMBER.incrementAndGet();
    }

    /** A delivery is admitted, and its copy is known to this replica whatever Redis does. */
    private String deliver() {
        String effect = fresh();
        assertThat(send("happen", effect).body()).isEqualTo("ok");
        assertThat(send("happen", effect).body()).isEqualTo("{\"status\":\"duplicate\"}");
        assertThat(Effects.SHARED.count(effect)).isEqualTo(1);
        return effect;
    }

    private void assertRejected() {
        HttpResponse<String> answer = send("slow", fresh());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("10");
    }

    private void assertReason(String reason) {
        assertThat(readiness())
                .contains("\"status\":\"UP\"", "\"degraded\":true", reason, "\"configured\":\"redis\"")
                .doesNotContain("127.0.0.1", Integer.toString(REDIS.port()));
    }

    private void awaitSound() {
        await().atMost(Duration.ofSeconds(30)).until(this::isSound);
    }

    private boolean isSound() {
        String readiness = readiness();
        return readiness.contains("\"degraded\":false") && readiness.contains("\"store\":\"redis\"");
    }

    /** The pending write has been made: Redis itself holds the record. */
    private static void assertRecorded(String effect) {
        assertThat(REDIS.command("GET", "exactlyonce:hookidem:demo:POST/redis/api/effects/happen:" + effect))
                .startsWith("1|recorded|");
    }

    @Test
    void redisThatIsThereIsUsedAndNothingIsDegraded() {
        awaitSound();
        assertRecorded(deliver());
    }

    @Test
    void redisThatStandsStillForFiveSecondsIsWorkedAroundAndWrittenAfterwards() {
        deliver();
        REDIS.pause();
        List<String> meanwhile = new ArrayList<>();
        await().during(Duration.ofSeconds(5)).atMost(Duration.ofSeconds(15)).until(() -> meanwhile.add(deliver()));
        assertReason(UNREACHABLE);
        assertRejected();
        REDIS.resume();

        awaitSound();
        assertThat(meanwhile).allSatisfy(RedisOutageIT::assertRecorded);
    }

    @Test
    void manyDeliveriesAtOnceWaitNoLongerThanOne() {
        REDIS.pause();
        List<CompletableFuture<String>> answers = IntStream.range(0, 100)
                .mapToObj(it -> CompletableFuture.supplyAsync(
                        () -> send("happen", fresh()).body()))
                .toList();
        assertThat(answers).allSatisfy(it -> assertThat(it.join()).isEqualTo("ok"));
        REDIS.resume();

        awaitSound();
    }

    @Test
    void redisThatWasKilledAndIsBackEmptyGetsTheRecordsOfThisReplica() {
        String before = deliver();
        REDIS.kill();
        String meanwhile = deliver();
        assertReason(UNREACHABLE);
        assertRejected();
        REDIS.restart();

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertReason(RESTARTED));
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertRecorded(before);
            assertRecorded(meanwhile);
        });
        awaitSound();
    }

    @Test
    void aRedisThatTakesNoWritesIsNoStore() {
        deliver();
        REDIS.command("REPLICAOF", "127.0.0.1", "1");
        String meanwhile = deliver();
        assertReason(UNREACHABLE);
        assertRejected();
        assertReason(UNREACHABLE);
        REDIS.command("REPLICAOF", "NO", "ONE");

        awaitSound();
        assertRecorded(meanwhile);
    }

    @Test
    void aRedisThatIsFullIsNoStore() {
        deliver();
        REDIS.command("CONFIG", "SET", "maxmemory", "1");
        String meanwhile = deliver();
        assertReason(UNREACHABLE);
        assertRejected();
        REDIS.command("CONFIG", "SET", "maxmemory", "0");

        awaitSound();
        assertRecorded(meanwhile);
    }

    @Test
    void aRedisThatMayEvictClaimsIsReported() {
        REDIS.command("CONFIG", "SET", "maxmemory", "100mb");
        REDIS.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        deployAnew();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertReason(MAY_EVICT));
        deliver();
    }

    @Test
    void twoApplicationsOnOnePrefixAreNamedToEachOther() {
        deployer.deploy("billing");
        try {
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertReason("redis prefix is shared with billing (");
                assertReason("redis prefix is shared with redis (");
            });
            deliver();
        } finally {
            deployer.undeploy("billing");
        }
    }

    @Test
    void aRedisThatComesAndGoesFailsNoDelivery() {
        for (int round = 0; round < OUTAGES; round++) {
            REDIS.kill();
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(20)).until(() -> deliver() != null);
            REDIS.restart();
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(20)).until(() -> deliver() != null);
        }
        awaitSound();
        assertRecorded(deliver());
    }

    @Test
    void withoutRedisAtTheStartTheReplicaKeepsItsOwnFileAndGoesOverToRedisOnceItIsThere() {
        deployer.undeploy("redis");
        REDIS.kill();
        deployer.deploy("redis");
        assertReason(NOT_AVAILABLE);
        assertThat(readiness()).contains("\"store\":\"sqlite\"");
        String alone = deliver();
        Effects.SHARED.open("never-rejected");
        assertThat(send("slow", "never-rejected").body()).isEqualTo("ok");

        REDIS.restart();
        awaitSound();
        assertRecorded(deliver());
        assertThat(send("happen", alone).body()).isEqualTo("{\"status\":\"duplicate\"}");
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertRecorded(alone));

        REDIS.command("FLUSHALL");
        deployAnew();
        assertThat(send("happen", alone).body()).isEqualTo("{\"status\":\"duplicate\"}");
    }
}
