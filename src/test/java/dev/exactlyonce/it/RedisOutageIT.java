package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis is away, in all the ways that it can be: no delivery fails, and readiness reports it. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RedisOutageIT extends RedisApplication {
    @Deployment(name = "redis", testable = false)
    static WebArchive application() {
        return application("redis");
    }

    /** One deployment for all of them: what a test, or its failure, has left behind ends with a restart. */
    @BeforeEach
    void begin() {
        if (!isSound()) {
            REDIS.restart();
        }
        awaitSound();
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
}
