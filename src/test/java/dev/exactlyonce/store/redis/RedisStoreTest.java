package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.Together;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisStoreTest extends RedisStoreContract {
    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @Override
    RedisProcess redis() {
        return redis;
    }

    private static String nameOf(Claim claim) {
        return "exactlyonce:hookidem:" + claim.key().value();
    }

    private static Duration ttlOf(String name) {
        return Duration.ofMillis(Long.parseLong(redis.command("PTTL", name)));
    }

    @Test
    void aClaimIsOneStringUnderPrefixAndKeyAndLastsForItsLease() {
        Claim mine = held("k");

        assertThat(redis.command("GET", nameOf(mine))).isEqualTo("1|in-flight|" + mine.owner() + "|-|");
        assertThat(redis.command("TYPE", nameOf(mine))).isEqualTo("string");
        assertThat(ttlOf(nameOf(mine))).isBetween(LEASE.minusSeconds(10), LEASE);
        assertThat(redis.command("KEYS", "exactlyonce:hookidem:*")).isEqualTo(nameOf(mine));
        assertThat(nameOf(mine)).isEqualTo("exactlyonce:hookidem:github:POST%20/hooks/%7Bsource%7D:k");
    }

    @Test
    void theLastFencingTokenIsKeptInTheSlotOfTheKeyForAWeek() {
        Claim mine = claim("k");
        long fence = fence(mine);
        String name = "exactlyonce:hookidem-fence:{" + nameOf(mine) + "}";

        assertThat(redis.command("GET", name)).isEqualTo(Long.toString(fence));
        assertThat(ttlOf(name)).isBetween(Duration.ofDays(6), Duration.ofDays(7));
    }

    @Test
    void aFencingTokenIsLargerThanTheLastAlsoWhenTheServersClockWasSetBack() {
        Claim mine = claim("k");
        String name = "exactlyonce:hookidem-fence:{" + nameOf(mine) + "}";
        redis.command("SET", name, "4000000000000000");

        assertThat(fence(mine)).isEqualTo(4_000_000_000_000_001L);
    }

    @Test
    void aRecordIsTheSameStringWithTheStatusAndLastsForItsTtl() {
        Claim mine = recorded("k");

        assertThat(redis.command("GET", nameOf(mine))).isEqualTo("1|recorded|" + mine.owner() + "|-|200");
        assertThat(ttlOf(nameOf(mine))).isBetween(TTL.minusSeconds(10), TTL);
    }

    @Test
    void aProbeWritesBesideTheKeysAndIsGoneSoon() {
        assertThat(redis.command("KEYS", "*")).isEqualTo("exactlyonce:hookidem-probe");
        assertThat(ttlOf("exactlyonce:hookidem-probe")).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aLeaseOfLessThanAMillisecondIsOne() {
        assertGranted(claim("k", Duration.ofNanos(1)));
    }

    @Test
    void aValueOfAnUnknownVersionIsAnotherOwnersClaimUntilItsEnd() {
        Claim mine = claim("k");
        redis.command("SET", nameOf(mine), "2|in-flight|" + mine.owner() + "|more", "PX", "30000");

        assertInFlight(mine);
        Recording.OwnedByAnother superseded =
                (Recording.OwnedByAnother) store.record(mine, RecordedAnswer.of(200), TTL);
        assertThat(superseded.running()).isTrue();
        assertThat(superseded.leaseLeft()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
        assertThat(store.release(mine)).isFalse();
        assertThat(store.renew(mine)).isEqualTo(Renewal.LOST);
        assertInFlight(mine);
        letPass(LEASE);
        assertGranted(mine);
    }

    @Test
    void aClaimWithoutAnEndIsAnotherOwnersClaim() {
        Claim mine = claim("k");
        redis.command("SET", nameOf(mine), "1|in-flight|somebody|-|");

        Reservation.AlreadyClaimed there = (Reservation.AlreadyClaimed) store.reserve(mine);

        assertThat(there.leaseLeft()).isEqualTo(LEASE);
        assertThat(store.record(mine, RecordedAnswer.of(200), TTL))
                .isEqualTo(new Recording.OwnedByAnother(true, LEASE));
    }

    @Test
    void aKeyThatIsNotAStringIsAFailureAndIsLeftAlone() {
        Claim mine = claim("k");
        redis.command("LPUSH", nameOf(mine), "a");

        assertThatThrownBy(() -> store.reserve(mine))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("a key of Redis holds what is not ours (WRONGTYPE)");
        assertThat(redis.command("TYPE", nameOf(mine))).isEqualTo("list");
    }

    @Test
    void scriptsThatRedisHasForgottenAreSentAgain() {
        Claim mine = recorded("warm");
        redis.command("SCRIPT", "FLUSH");
        assertInFlightOrRecorded(rivalOf(mine));
        redis.command("SCRIPT", "FLUSH");
        Claim next = recorded("k");
        redis.command("SCRIPT", "FLUSH");
        assertThat(store.renewAll(List.of(next, claim("a"), claim("b")))).containsOnly(Renewal.HELD);
        redis.command("SCRIPT", "FLUSH");
        assertThat(store.release(held("c"))).isTrue();
    }

    private void assertInFlightOrRecorded(Claim rival) {
        assertThat(store.reserve(rival)).isNotInstanceOf(Reservation.Granted.class);
    }

    @Test
    void twoStoresInOneRedisGrantEachKeyOnce() throws Exception {
        try (RedisStore second = connected(new RedisStore(settings(), watched))) {
            List<Integer> granted = Together.run(8, thread -> {
                int grants = 0;
                for (int i = 0; i < 100; i++) {
                    Claim claim = claim("k" + i);
                    grants += (thread % 2 == 0 ? store : second).reserve(claim) instanceof Reservation.Granted ? 1 : 0;
                }
                return grants;
            });

            assertThat(granted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
        }
    }

    @Test
    void storesWithDifferentPrefixesDoNotMeet() {
        Claim mine = held("k");
        RedisSettings there = settings();
        RedisSettings elsewhere =
                new RedisSettings(there.server(), there.file(), "other:", there.timeout(), there.waitReplicas());
        try (RedisStore other = connected(new RedisStore(elsewhere, watched))) {
            assertThat(other.reserve(rivalOf(mine))).isInstanceOf(Reservation.Granted.class);
        }
    }

    @Test
    void anInterruptedCallerStillRecordsAndStaysInterrupted() {
        Claim mine = held("k");
        Thread.currentThread().interrupt();
        Recording recording = store.record(mine, RecordedAnswer.of(200), TTL);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(recording).isInstanceOf(Recording.Written.class);
        assertRecorded(rivalOf(mine), 200);
    }
}
