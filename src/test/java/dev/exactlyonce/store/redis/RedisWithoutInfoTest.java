package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without INFO, a restart is noticed by the keys that it lost. */
@Timeout(120)
class RedisWithoutInfoTest {
    private static final Duration PATIENT = Duration.ofSeconds(5);
    private static final String MARKERS = "exactlyonce:hookidem-marker:*";

    private final Watched watched = new Watched();

    private static RedisProcess start(String... config) {
        String[] more = new String[config.length + 1];
        System.arraycopy(config, 0, more, 1, config.length);
        more[0] = DocumentedAcl.line() + " -info";
        return RedisProcess.start(more);
    }

    private RedisStore open(RedisProcess redis) {
        return RedisStoreContract.connected(
                new RedisStore(settings(redis), watched, Optional.empty(), Duration.ofMillis(50)));
    }

    private static RedisSettings settings(RedisProcess redis) {
        return DocumentedAcl.settings(redis.settings(PATIENT));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private static void use(RedisStore store) {
        Claim mine =
                Claim.fresh(DeliveryKey.of("github", "POST /", List.of("k")), Fingerprint.NONE, Duration.ofMinutes(5));
        soon().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> store.reserve(mine) instanceof Reservation.Granted);
    }

    private static long marker(RedisProcess redis) {
        String key = redis.command("KEYS", MARKERS);
        return key.isEmpty() ? 0 : Long.parseLong(redis.command("GET", key));
    }

    private static void awaitMarker(RedisProcess redis, long atLeast) {
        soon().until(() -> marker(redis) >= atLeast);
    }

    @Test
    void thatRestartsAreHiddenIsReported() {
        try (RedisProcess redis = start();
                RedisStore store = open(redis)) {
            use(store);
            soon().until(() -> watched.hidden.contains(RedisStore.Hidden.RESTARTS));
            assertThat(watched.reported).hasValue(0);
        }
    }

    @Test
    void aRestartThatLostEverythingIsNoticed() {
        try (RedisProcess redis = start();
                RedisStore store = open(redis)) {
            awaitMarker(redis, 2);
            redis.restart();
            use(store);

            soon().untilAsserted(() -> assertThat(watched.restarts).hasValue(1));
        }
    }

    @Test
    void aRestartFromAnOldSnapshotIsNoticed() {
        try (RedisProcess redis = start();
                RedisStore store = open(redis)) {
            awaitMarker(redis, 1);
            redis.command("SAVE");
            awaitMarker(redis, marker(redis) + 2); // one that the store has heard of, at least
            redis.restart();
            use(store);

            soon().untilAsserted(() -> assertThat(watched.restarts).hasValue(1));
        }
    }

    @Test
    void aRestartThatLostNothingIsNone() {
        try (RedisProcess redis = start("appendonly yes", "appendfsync always");
                RedisStore store = open(redis)) {
            awaitMarker(redis, 2);
            long before = marker(redis);
            redis.restart();
            soon().ignoreExceptionsInstanceOf(StoreUnavailableException.class).until(() -> {
                store.probe();
                return marker(redis) > before + 1;
            });

            assertThat(watched.restarts).hasValue(0);
        }
    }

    @Test
    void whatIsPermittedLaterIsNotHiddenAnyMoreAndNeedsNoMarker() {
        try (RedisProcess redis = start();
                RedisStore store = open(redis)) {
            awaitMarker(redis, 1);
            redis.command("ACL", "SETUSER", "shop", "+info");
            store.probe();
            soon().until(watched.hidden::isEmpty);
            redis.command("DEL", redis.command("KEYS", MARKERS));
            redis.restart();
            use(store);

            soon().untilAsserted(() -> assertThat(watched.restarts).hasPositiveValue());
        }
    }

    @Test
    void whatElseIsNotPermittedIsNamed() {
        try (RedisProcess redis = RedisProcess.start(DocumentedAcl.line() + " -ping");
                RedisStore store = new RedisStore(settings(redis), watched)) {
            soon().untilAsserted(
                            () -> assertThatThrownBy(store::probe).hasMessage("Redis does not permit PING (NOPERM)"));
        }
    }

    @Test
    void aWaitThatIsNotPermittedIsNamed() {
        try (RedisProcess redis = RedisProcess.start(DocumentedAcl.line())) {
            RedisSettings plain = settings(redis);
            RedisSettings strict = new RedisSettings(plain.server(), plain.file(), plain.prefix(), PATIENT, 1);
            try (RedisStore store = new RedisStore(strict, watched)) {
                soon().untilAsserted(() ->
                        assertThatThrownBy(store::probe).hasMessage("Redis does not permit WAIT (NOPERM)"));
            }
        }
    }
}
