package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.RedisSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which applications use one prefix of one Redis. */
@Timeout(120)
class RedisPrefixTest {
    private static final Duration PATIENT = Duration.ofSeconds(5);
    private static final Duration KEYS_LAST = Duration.ofHours(25);
    private static final Duration TICK = Duration.ofMillis(50);
    private static final String APPLICATIONS = "exactlyonce:applications";

    private static RedisProcess redis;

    private final Watched first = new Watched();
    private final Watched second = new Watched();

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start(DocumentedAcl.line());
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    private static RedisStore open(RedisProcess where, String name, Watched watched, String... sharedWith) {
        RedisSettings plain = where.settings(PATIENT);
        RedisSettings settings =
                new RedisSettings(plain.server(), plain.file(), plain.prefix(), PATIENT, 0, List.of(sharedWith));
        return new RedisStore(settings, watched, Optional.of(new RedisStore.Application(name, KEYS_LAST)), TICK);
    }

    private static RedisStore open(String name, Watched watched, String... sharedWith) {
        return open(redis, name, watched, sharedWith);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private static void awaitEntered(String name) {
        soon().until(() ->
                redis.command("ZRANGE", APPLICATIONS, "0", "-1").lines().anyMatch(name::equals));
    }

    @Test
    void bothOfTwoApplicationsSeeTheOther() {
        try (RedisStore shop = open("shop", first)) {
            awaitEntered("shop");
            try (RedisStore billing = open("billing", second)) {
                soon().untilAsserted(() -> assertThat(second.others).containsExactly("shop"));
                soon().untilAsserted(() -> assertThat(first.others).containsExactly("billing"));
            }
        }
    }

    @Test
    void replicasOfOneApplicationAreOneAndWhatSharesOnPurposeIsNoOther() {
        redis.command("ZADD", APPLICATIONS, "inf", "shop-v1", "inf", "orders", "inf", "shopping");
        try (RedisStore one = open("shop-v2", first, "shop-*", "orders");
                RedisStore replica = open("shop-v2", second, "*")) {
            soon().untilAsserted(() -> assertThat(first.others).containsExactly("shopping"));
            awaitEntered("shop-v2");
            redis.command("ZREM", APPLICATIONS, "shopping");
            soon().untilAsserted(() -> assertThat(first.others).isEmpty());

            assertThat(second.others).isEmpty();
        }
    }

    @Test
    void anApplicationWhoseRecordsHaveEndedIsForgotten() {
        long now = System.currentTimeMillis();
        redis.command("ZADD", APPLICATIONS, Long.toString(now - 1), "gone", Long.toString(now + 3_600_000), "there");
        try (RedisStore shop = open("shop", first)) {
            soon().untilAsserted(() -> assertThat(first.others).containsExactly("there"));

            assertThat(redis.command("ZRANGE", APPLICATIONS, "0", "-1").lines()).containsExactly("there", "shop");
            soon().until(() -> Long.parseLong(redis.command("PTTL", APPLICATIONS)) > 0);
            assertThat(Long.parseLong(redis.command("PTTL", APPLICATIONS)))
                    .isBetween(KEYS_LAST.minusMinutes(5).toMillis(), KEYS_LAST.toMillis());
        }
    }

    @Test
    void aRedisThatComesLaterIsAskedOnceItIsThere() {
        try (RedisProcess late = RedisProcess.start()) {
            late.kill();
            try (RedisStore shop = open(late, "shop", first)) {
                late.restart();
                late.command("ZADD", APPLICATIONS, "inf", "billing");
                RedisStoreContract.connected(shop);

                soon().untilAsserted(() -> assertThat(first.others).containsExactly("billing"));
            }
        }
    }

    @Test
    void aRefusalIsReportedAndTheReadingTriedAgain() {
        try (RedisProcess strict = RedisProcess.start(DocumentedAcl.line() + " -zrange")) {
            RedisSettings settings = DocumentedAcl.settings(strict.settings(PATIENT));
            RedisStore.Application application = new RedisStore.Application("shop", KEYS_LAST);
            try (RedisStore shop = new RedisStore(settings, first, Optional.of(application), TICK)) {
                soon().untilAsserted(() -> assertThat(first.hidden).isEqualTo(Set.of(RedisStore.Hidden.APPLICATIONS)));
                strict.command("ACL", "SETUSER", "shop", "+zrange");

                soon().untilAsserted(() -> assertThat(first.hidden).isEmpty());
            }
        }
    }
}
