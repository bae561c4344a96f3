package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.NoNettyThreadLocals;
import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.Together;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a store does while its Redis is away, ill, full or not its own. */
@Timeout(120)
@ExtendWith(NoNettyThreadLocals.class)
class RedisFailureTest {
    private static final Duration TIMEOUT = Duration.ofMillis(600);
    private static final Duration PATIENT = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofHours(1);

    private final RedisProcess redis = RedisProcess.start();
    private final Watched watched = new Watched();
    private RedisStore store = new RedisStore(redis.settings(TIMEOUT), watched);

    @AfterEach
    void end() {
        store.close();
        redis.close();
    }

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /", List.of(part)), Fingerprint.NONE, Duration.ofMinutes(5));
    }

    private static Claim rivalOf(Claim claim) {
        return Claim.fresh(claim.key(), claim.fingerprint(), claim.lease());
    }

    private Claim held(String part) {
        Claim claim = claim(part);
        assertRecovers(claim);
        return claim;
    }

    private void assertRecovers(Claim claim) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(() -> assertThat(store.reserve(claim)).isInstanceOf(Reservation.Granted.class));
    }

    private void assertUnavailable(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage(message)
                .hasNoCause();
    }

    private List<ThrowingCallable> everyCall(Claim mine) {
        return List.of(
                () -> store.reserve(mine),
                () -> store.record(mine, RecordedAnswer.of(200), TTL),
                () -> store.release(mine),
                () -> store.renew(mine),
                store::probe);
    }

    private void assertEveryCallIsUnavailable(Claim mine, String message) {
        everyCall(mine).forEach(call -> assertUnavailable(call, message));
    }

    @Test
    void aPausedRedisMakesEachCallUnavailableInItsTimeUntilItGoesOn() {
        Claim mine = held("k");
        redis.pause();
        for (ThrowingCallable call : everyCall(mine)) {
            Duration took = Duration.ofDays(1);
            for (int attempt = 0; attempt < 3 && took.compareTo(TIMEOUT.plusMillis(100)) > 0; attempt++) {
                long began = System.nanoTime(); // a busy machine may keep one attempt waiting, hardly three
                assertUnavailable(call, "Redis did not answer in time");
                took = Duration.ofNanos(System.nanoTime() - began);
            }
            assertThat(took).isLessThanOrEqualTo(TIMEOUT.plusMillis(100));
        }
        redis.resume();

        assertRecovers(claim("other"));
        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void manyCallersOfAPausedRedisAllComeBackAndNoneIsWedgedAfterwards() throws Exception {
        held("k");
        redis.pause();
        List<Boolean> failed = Together.run(
                50, i -> catchThrowable(() -> store.reserve(claim("k" + i))) instanceof StoreUnavailableException);
        redis.resume();

        assertThat(failed).containsOnly(true);
        Claim next = held("next");
        List<Reservation> answers = Together.run(50, i -> store.reserve(rivalOf(next)));
        assertThat(answers).hasOnlyElementsOfType(Reservation.AlreadyClaimed.class);
    }

    @Test
    void aShortPauseFailsNothing() throws Exception {
        store.close();
        store = RedisStoreContract.connected(new RedisStore(redis.settings(PATIENT), watched));
        redis.pause();
        List<Reservation> answers = Together.run(3, i -> {
            if (i == 0) {
                redis.resume();
            }
            return store.reserve(claim("k" + i));
        });

        assertThat(answers).hasOnlyElementsOfType(Reservation.Granted.class);
    }

    @Test
    void aKilledRedisIsUnavailableAtOnceAndARestartIsReportedOnce() {
        Claim mine = held("k");
        await().until(() -> watched.reported.get() > 0);
        redis.kill();
        assertEveryCallIsUnavailable(mine, "Redis cannot be reached");
        redis.restart();

        assertRecovers(rivalOf(mine));
        await().untilAsserted(() -> assertThat(watched.restarts).hasValue(1));
        store.probe();
        held("other");
        int reported = watched.reported.get();
        store.probe();
        await().until(() -> watched.reported.get() > reported);
        assertThat(watched.restarts).hasValue(1);
    }

    @Test
    void aRedisThatIsAbsentAtFirstIsFoundWhenItAppears() {
        store.close();
        redis.kill();
        store = new RedisStore(redis.settings(TIMEOUT), watched);
        assertEveryCallIsUnavailable(claim("k"), "Redis cannot be reached");
        redis.restart();

        assertRecovers(claim("k"));
        await().until(() -> watched.reported.get() > 0);
        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void aServerThatIsNoMasterAnyMoreRefusesEvenWhatIsAlreadyDone() {
        Claim mine = held("mine");
        Claim done = held("done");
        store.record(done, RecordedAnswer.of(200), TTL);
        redis.command("REPLICAOF", redis.host(), "1");
        String refusal = "Redis refuses writes (READONLY)";
        assertEveryCallIsUnavailable(mine, refusal);
        assertUnavailable(() -> store.record(done, RecordedAnswer.of(200), TTL), refusal);
        assertUnavailable(() -> store.renew(done), refusal);
        redis.command("REPLICAOF", "NO", "ONE");

        assertThat(store.renew(mine)).isEqualTo(Renewal.HELD);
        store.probe();
        await().untilAsserted(() -> assertThat(watched.restarts).hasValue(1));
    }

    @Test
    void aFullRedisRefusesEvenWhatIsAlreadyDoneButARunningClaimIsLengthened() {
        Claim mine = held("mine");
        Claim done = held("done");
        store.record(done, RecordedAnswer.of(200), TTL);
        String name = "exactlyonce:hookidem:" + mine.key().value();
        redis.command("PEXPIRE", name, "100000");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        String full = "Redis is out of memory (maxmemory)";
        assertUnavailable(() -> store.reserve(claim("new")), full);
        assertUnavailable(() -> store.record(mine, RecordedAnswer.of(200), TTL), full);
        assertUnavailable(() -> store.record(done, RecordedAnswer.of(200), TTL), full);
        assertUnavailable(() -> store.renew(done), full);
        assertUnavailable(() -> store.renew(mine), full);
        assertUnavailable(store::probe, full);
        assertThat(Long.parseLong(redis.command("PTTL", name))).isGreaterThan(200_000);
        redis.command("CONFIG", "SET", "maxmemory", "0");

        assertThat(store.record(mine, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
    }

    @Test
    void anEvictionPolicyIsReportedAndItsEndToo() {
        redis.command("CONFIG", "SET", "maxmemory", "100mb");
        redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        held("k");
        store.probe();
        await().untilAsserted(() -> assertThat(watched.mayEvict).isTrue());
        redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        store.probe();
        await().untilAsserted(() -> assertThat(watched.mayEvict).isFalse());
        assertThat(watched.restarts).hasValue(0);
    }

    @Test
    void aServerThatMayNotBeAskedAboutItselfServesAllTheSame() {
        redis.command("ACL", "SETUSER", "default", "-info");
        store.close();
        store = new RedisStore(redis.settings(TIMEOUT), watched);

        Claim mine = held("k");
        store.probe();
        assertThat(store.record(mine, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
        assertThat(watched.reported).hasValue(0);
    }

    @Test
    void aRefusedLoginIsNamedWithoutAWordOfIt() {
        redis.command("CONFIG", "SET", "requirepass", "right-secret");
        store.close();
        RedisSettings plain = redis.settings(TIMEOUT);
        for (Optional<String> password : List.of(Optional.of("wrong-secret"), Optional.<String>empty())) {
            RedisSettings.Server server =
                    new RedisSettings.Server(false, redis.host(), redis.port(), 0, Optional.empty(), password);
            RedisSettings settings = new RedisSettings(server, plain.file(), plain.prefix(), plain.timeout(), 0);
            try (RedisStore refused = new RedisStore(settings, watched)) {
                String message = password.isPresent()
                        ? "Redis refuses the login (WRONGPASS)"
                        : "Redis asks for a login (NOAUTH)";
                await().untilAsserted(() -> assertUnavailable(() -> refused.reserve(claim("k")), message));
                assertThat(settings.toString()).doesNotContain(redis.host(), Integer.toString(redis.port()), "secret");
            }
        }
    }

    @Test
    void aRedisThatIsBusyWithAScriptIsUnavailableUntilItIsDone() {
        redis.command("CONFIG", "SET", "lua-time-limit", "5");
        Claim mine = held("k");
        CompletableFuture<String> busy = CompletableFuture.supplyAsync(() -> {
            try (RespClient client = new RespClient(redis.host(), redis.port())) {
                return client.call("EVAL", "while true do end", "0");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        await().untilAsserted(() -> assertUnavailable(() -> store.renew(mine), "Redis is busy with a script (BUSY)"));
        redis.command("SCRIPT", "KILL");

        assertThat(busy).failsWithin(PATIENT);
        assertRecovers(mine);
    }

    @Test
    void aClosedStoreIsUnavailable() {
        Claim mine = held("k");
        store.close();

        assertEveryCallIsUnavailable(mine, "the Redis store is closed");
        store.close();
    }

    @Test
    void closingAnswersCallersThatStillWait() throws Exception {
        store.close();
        store = RedisStoreContract.connected(new RedisStore(redis.settings(PATIENT), watched));
        redis.pause();
        List<Boolean> unavailable = Together.run(4, i -> {
            if (i == 0) {
                store.close();
                return true;
            }
            return catchThrowable(() -> store.reserve(claim("k" + i))) instanceof StoreUnavailableException;
        });

        assertThat(unavailable).containsOnly(true);
    }

    @Test
    void closingEndsEveryThread() {
        store.close();
        await().until(() -> ours().isEmpty());
        store = new RedisStore(redis.settings(TIMEOUT), watched);
        held("k");
        assertThat(ours()).isNotEmpty();
        store.close();
        await().untilAsserted(() -> assertThat(ours()).isEmpty());
        redis.kill();
        store = new RedisStore(redis.settings(TIMEOUT), watched);
        assertThatThrownBy(store::probe).isInstanceOf(StoreUnavailableException.class);
        store.close();

        await().untilAsserted(() -> assertThat(ours()).isEmpty());
    }

    private static List<String> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("redisson") || name.startsWith("exactly-once-redis"))
                .toList();
    }
}
