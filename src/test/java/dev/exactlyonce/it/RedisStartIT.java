package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
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

/** What is decided when an application starts with Redis, or without it. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RedisStartIT extends RedisApplication {
    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "redis", managed = false, testable = false)
    static WebArchive application() {
        return application("redis");
    }

    @Deployment(name = "billing", managed = false, testable = false)
    static WebArchive anotherApplication() {
        return application("billing");
    }

    @BeforeEach
    void restart() {
        REDIS.restart();
    }

    @AfterEach
    void undeploy() {
        REDIS.restart();
        deployer.undeploy("redis");
    }

    private void deployAnew() {
        deployer.undeploy("redis");
        deployer.deploy("redis");
    }

    @Test
    void aRedisThatMayEvictClaimsIsReported() {
        REDIS.command("CONFIG", "SET", "maxmemory", "100mb");
        REDIS.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        deployer.deploy("redis");
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertReason(MAY_EVICT));
        deliver();
    }

    @Test
    void twoApplicationsOnOnePrefixAreNamedToEachOther() {
        deployer.deploy("redis");
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
    void withoutRedisAtTheStartTheReplicaKeepsItsOwnFileAndGoesOverToRedisOnceItIsThere() {
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
