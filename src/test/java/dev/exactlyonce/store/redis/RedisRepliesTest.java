package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.Together;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store makes of replies that are lost, late, or cut off. */
@Timeout(120)
class RedisRepliesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration TTL = Duration.ofHours(1);

    private static RedisProcess redis;
    private RedisProxy proxy;
    private Watched watched;
    private RedisStore store;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void open() {
        redis.command("FLUSHALL");
        proxy = RedisProxy.to(redis);
        watched = new Watched();
        store = RedisStoreContract.connected(new RedisStore(proxy.settings(TIMEOUT), watched));
    }

    @AfterEach
    void close() {
        store.close();
        proxy.close();
    }

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(5));
    }

    private static Claim rivalOf(Claim claim) {
        return Claim.fresh(claim.key(), claim.fingerprint(), claim.lease());
    }

    private void assertGranted(Claim claim) {
        assertThat(store.reserve(claim)).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void aReserveWhoseReplyWasLostSeesItsOwnClaim() {
        Claim mine = claim("k");
        assertGranted(claim("another")); // so that Redis has the script
        proxy.loseReplyTo(Script.RESERVE.sha());
        assertGranted(mine);

        assertThat(proxy.lost()).isEqualTo(1);
        assertThat(store.reserve(rivalOf(mine))).isInstanceOf(Reservation.AlreadyClaimed.class);
    }

    @Test
    void aRecordWhoseReplyWasLostSeesItself() {
        Claim mine = claim("k");
        assertGranted(mine);
        proxy.loseReplyTo(Script.RECORD.sha());

        assertThat(store.record(mine, RecordedAnswer.of(201), TTL)).isInstanceOf(Recording.Written.class);
        assertThat(proxy.lost()).isEqualTo(1);
        assertThat(store.reserve(rivalOf(mine)))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(201)));
    }

    @Test
    void aRenewalWhoseReplyWasLostIsHeld() {
        Claim mine = claim("k");
        assertGranted(mine);
        proxy.loseReplyTo(Script.RENEW.sha());

        assertThat(store.renewAll(List.of(claim("a"), mine, claim("b")))).containsOnly(Renewal.HELD);
        assertThat(proxy.lost()).isEqualTo(1);
    }

    @Test
    void aReleaseWhoseReplyWasLostDoesNotSayThatNothingWasFreed() {
        Claim mine = claim("k");
        assertGranted(mine);
        store.release(claim("another")); // so that Redis has the script
        proxy.loseReplyTo(Script.RELEASE.sha());

        assertThatThrownBy(() -> store.release(mine)).isInstanceOf(StoreUnavailableException.class);
        assertThat(proxy.lost()).isEqualTo(1);
        assertThat(store.release(mine)).isFalse();
    }

    @Test
    void oneLostReplyToManyCallersHarmsNoneOfThem() throws Exception {
        assertGranted(claim("another")); // so that Redis has the script
        proxy.loseReplyTo(Script.RESERVE.sha());
        List<Reservation> answers = Together.run(40, i -> store.reserve(claim("k" + i)));

        assertThat(answers).hasOnlyElementsOfType(Reservation.Granted.class);
        assertThat(proxy.lost()).isEqualTo(1);
    }

    @Test
    void aConnectionThatIsCutBetweenCallsIsNotNoticed() {
        for (int i = 0; i < 5; i++) {
            assertGranted(claim("k" + i));
            proxy.cut();
        }
        await().until(() -> watched.reported.get() >= 5);
        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void aNetworkThatRefusesIsUnavailableUntilItAdmits() {
        Claim mine = claim("k");
        proxy.refuse();
        assertThatThrownBy(() -> store.reserve(mine))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("Redis cannot be reached")
                .hasNoCause();
        proxy.admit();

        await().ignoreExceptionsInstanceOf(StoreUnavailableException.class).untilAsserted(() -> assertGranted(mine));
    }

    @Test
    void whatIsGivenUpBeforeItIsSentIsNeverSent() throws Exception {
        store.close();
        store = RedisStoreContract.connected(new RedisStore(proxy.settings(Duration.ofMillis(300)), watched));
        proxy.pause();
        assertUnavailable("sent"); // and the silent connection is given up with it
        Together.run(20, i -> assertUnavailable("k" + i)); // which wait for the next one
        proxy.resume();
        await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertGranted(claim("next")));

        assertThat(redis.command("KEYS", "*hookidem:*:k*")).isEmpty();
    }

    private boolean assertUnavailable(String part) {
        assertThatThrownBy(() -> store.reserve(claim(part))).isInstanceOf(StoreUnavailableException.class);
        return true;
    }

    @Test
    void aServerThatIsNoMasterAnyMoreIsLeftForTheOneThatItsAddressLeadsTo() {
        try (RedisProcess former = RedisProcess.start();
                RedisProxy address = RedisProxy.to(former);
                RedisStore moved = RedisStoreContract.connected(
                        new RedisStore(address.settings(Duration.ofMillis(300)), watched))) {
            former.command("REPLICAOF", redis.host(), Integer.toString(redis.port()));
            address.leadTo(redis);

            await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(() -> assertThat(moved.reserve(claim("k"))).isInstanceOf(Reservation.Granted.class));
            await().until(() -> watched.restarts.get() > 0);
        }
    }

    @Test
    void aStalledNetworkLosesNoRecordOfACallerThatRepeats() {
        Claim mine = claim("k");
        assertGranted(mine);
        proxy.pause();
        assertThatThrownBy(() -> store.record(mine, RecordedAnswer.of(200), TTL))
                .isInstanceOf(StoreUnavailableException.class);
        proxy.resume();

        await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertThat(store.record(mine, RecordedAnswer.of(200), TTL))
                        .isInstanceOf(Recording.Written.class));
    }
}
