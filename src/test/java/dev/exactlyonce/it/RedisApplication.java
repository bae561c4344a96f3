package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.store.redis.RedisProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;

/** What the tests of an application with Redis have in common: deliveries whose effects are counted, and its readiness. */
abstract class RedisApplication {
    static final String UNREACHABLE =
            "redis idempotency backend unreachable at runtime (dedup best-effort until it recovers)";
    static final String NOT_AVAILABLE = "redis idempotency backend not available (running per-replica)";
    static final String RESTARTED = "redis restarted or failed over (recent claims may be lost)";
    static final String MAY_EVICT = "redis may evict claims";
    static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);
    static final Duration LEASE = Duration.ofSeconds(3);
    static final int OUTAGES = Integer.getInteger("outages");
    static final RedisProcess REDIS = RedisProcess.start();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    final Http http = new Http(Node.a(""));
    private long longestMillis;

    static WebArchive application(String name) {
        return Wars.configured(
                Wars.withRedis(Wars.of(name, Handlers.App.class, Handlers.WithEffects.class, EffectsClient.class)),
                "effects.url=" + Effects.SHARED.url(),
                "exactlyonce.store=redis",
                "exactlyonce.redis.host=127.0.0.1",
                "exactlyonce.redis.port=" + REDIS.port(),
                "exactlyonce.lease=" + LEASE,
                "exactlyonce.source.short.on-outage=reject");
    }

    @AfterEach
    void showTheLongestWait() {
        System.out.printf("the longest wait for an answer was %,d ms%n", longestMillis);
    }

    String readiness() {
        return http.get("/health/ready").body();
    }

    HttpResponse<String> send(String path, String effect) {
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

    static String fresh() {
        return "redis-" + NUMBER.incrementAndGet();
    }

    /** A delivery is admitted, and its copy is known to this replica whatever Redis does. */
    String deliver() {
        String effect = fresh();
        assertThat(send("happen", effect).body()).isEqualTo("ok");
        assertThat(send("happen", effect).body()).isEqualTo("{\"status\":\"duplicate\"}");
        assertThat(Effects.SHARED.count(effect)).isEqualTo(1);
        return effect;
    }

    void assertRejected() {
        HttpResponse<String> answer = send("slow", fresh());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("10");
    }

    void assertReason(String reason) {
        assertThat(readiness())
                .contains("\"status\":\"UP\"", "\"degraded\":true", reason, "\"configured\":\"redis\"")
                .doesNotContain("127.0.0.1", Integer.toString(REDIS.port()));
    }

    void awaitSound() {
        await().atMost(Duration.ofSeconds(30)).until(this::isSound);
    }

    boolean isSound() {
        String readiness = readiness();
        return readiness.contains("\"degraded\":false") && readiness.contains("\"store\":\"redis\"");
    }

    /** The pending write has been made: Redis itself holds the record. */
    static void assertRecorded(String effect) {
        assertThat(REDIS.command("GET", "exactlyonce:hookidem:demo:POST/redis/api/effects/happen:" + effect))
                .startsWith("1|recorded|");
    }
}
