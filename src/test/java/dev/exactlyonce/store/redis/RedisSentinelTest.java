package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master, a replica, and a Sentinel that makes the one the other. */
@Timeout(120)
class RedisSentinelTest {
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(5));
    }

    @Test
    void aFailoverIsFollowedAndReported(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("redisson.yaml");
        Watched watched = new Watched();
        try (RedisProcess master = RedisProcess.start();
                RedisProcess replica = RedisProcess.start("replicaof " + master.host() + " " + master.port());
                RedisProcess sentinel = RedisProcess.startSentinel(
                        "sentinel monitor main " + master.host() + " " + master.port() + " 1",
                        "sentinel down-after-milliseconds main 300",
                        "sentinel failover-timeout main 2000")) {
            await().until(() -> sentinel.command("SENTINEL", "SLAVES", "main").contains("master-link-status\nok"));
            Files.writeString(file, """
                    sentinelServersConfig:
                      masterName: main
                      sentinelAddresses: ["redis://%s:%d"]
                      checkSentinelsList: false
                      scanInterval: 200
                      readMode: SLAVE
                    """.formatted(sentinel.host(), sentinel.port()));
            RedisSettings settings =
                    new RedisSettings(RedisSettings.Server.DEFAULT, Optional.of(file), "p:", PATIENT, 0);
            try (RedisStore store = RedisStoreContract.connected(new RedisStore(settings, watched))) {
                Claim mine = claim("k");
                assertThat(store.reserve(mine)).isInstanceOf(Reservation.Granted.class);
                master.kill();
                await().atMost(Duration.ofSeconds(60))
                        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                        .untilAsserted(() -> assertThat(store.reserve(mine)).isInstanceOf(Reservation.Granted.class));

                assertThat(replica.command("ROLE")).startsWith("master");
                await().untilAsserted(() -> assertThat(watched.restarts).hasPositiveValue());
            }
        }
    }
}
