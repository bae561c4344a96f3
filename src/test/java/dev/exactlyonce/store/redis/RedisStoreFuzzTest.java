package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.DelegatingStore;
import dev.exactlyonce.testkit.StoreFuzzer;
import dev.exactlyonce.testkit.StoreFuzzer.Plan;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis keeps time by itself, so the judge gets the wall clock and the time that was let pass. */
@Timeout(600)
class RedisStoreFuzzTest {
    private static final Duration PATIENT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);

    private static RedisProcess redis;
    private final AtomicLong shiftedMillis = new AtomicLong();
    private final InstantSource clock = () -> Instant.ofEpochMilli(System.currentTimeMillis() + shiftedMillis.get());

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    private static IdempotencyStore open(RedisSettings settings) {
        return new Judgeable(RedisStoreContract.connected(new RedisStore(settings, new Watched())));
    }

    /**
     * A key that was taken twice and absent twice within one call is answered as in flight, with almost nothing left:
     * its owner is gone, so that no judge can find it. Such an answer is left out.
     */
    private static final class Judgeable extends DelegatingStore {
        private static final Duration ALMOST_NOTHING = Duration.ofMillis(1);

        Judgeable(IdempotencyStore store) {
            super(store);
        }

        @Override
        public Reservation reserve(Claim claim) {
            Reservation answer = super.reserve(claim);
            if (answer instanceof Reservation.AlreadyClaimed there
                    && there.leaseLeft().equals(ALMOST_NOTHING)) {
                throw new StoreUnavailableException("not to be judged");
            }
            return answer;
        }
    }

    /**
     * A call that was repeated may have been applied the first time, and what it wrote may have ended before it is refused the
     * second time: a lease or TTL of a few milliseconds is shorter than a reconnection. The refusal is right, and hides that
     * the key was taken meanwhile; so it is judged as one that may have happened or not.
     */
    private static final class Repeatable extends DelegatingStore {
        private final RedisProxy proxy;

        Repeatable(IdempotencyStore store, RedisProxy proxy) {
            super(store);
            this.proxy = proxy;
        }

        private <T> T unlessRepeated(Supplier<T> call, Predicate<T> isRefused) {
            int before = proxy.cutsEnded();
            T answer = call.get();
            if (isRefused.test(answer) && proxy.cutsBegun() != before) {
                throw new StoreUnavailableException("not to be judged");
            }
            return answer;
        }

        @Override
        public Reservation reserve(Claim claim) {
            return unlessRepeated(() -> super.reserve(claim), it -> !(it instanceof Reservation.Granted));
        }

        @Override
        public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
            return unlessRepeated(() -> super.record(claim, answer, ttl), Recording.OwnedByAnother.class::isInstance);
        }

        @Override
        public List<Renewal> renewAll(List<Claim> claims) {
            return unlessRepeated(() -> super.renewAll(claims), it -> it.contains(Renewal.LOST));
        }
    }

    private class Fuzzer extends StoreFuzzer {
        private final RedisProcess shared;

        Fuzzer(RedisProcess shared, List<IdempotencyStore> stores, Plan plan) {
            super(stores, clock, plan);
            this.shared = shared;
        }

        @Override
        protected void letPass(Duration time) {
            shared.command("EVAL", RedisStoreContract.LET_PASS, "0", Long.toString(time.toMillis()));
            shiftedMillis.addAndGet(time.toMillis());
        }

        /** A key of Redis is there until its time is past, not until it has come. */
        @Override
        protected Duration blur() {
            return Duration.ofMillis(1);
        }
    }

    @Test
    void noAnswerOfOneStoreIsWrong() throws Exception {
        try (IdempotencyStore store = open(redis.settings(PATIENT))) {
            StoreFuzzer fuzzer = new Fuzzer(redis, List.of(store), Plan.SHORT);
            fuzzer.run();

            assertThat(fuzzer.answered()).isGreaterThan(Plan.SHORT.operations() * 9L / 10);
        }
    }

    @Test
    void noAnswerOfTwoStoresInOneRedisIsWrong() throws Exception {
        try (IdempotencyStore one = open(redis.settings(PATIENT));
                IdempotencyStore two = open(redis.settings(PATIENT))) {
            new Fuzzer(redis, List.of(one, two), Plan.plan(20, 8_000)).run();
        }
    }

    @Test
    void noAnswerIsWrongWhereNoScriptsArePermitted() throws Exception {
        redis.command("ACL", "SETUSER", "plain", "on", ">any", "~*", "+@all", "-@scripting");
        RedisSettings open = redis.settings(PATIENT);
        RedisSettings.Server plain = new RedisSettings.Server(
                false, redis.host(), redis.port(), 0, Optional.of("plain"), Optional.of("any"));
        RedisSettings settings = new RedisSettings(plain, open.file(), open.prefix(), open.timeout(), 0);
        try (IdempotencyStore one = open(settings);
                IdempotencyStore two = open(settings)) {
            new Fuzzer(redis, List.of(one, two), Plan.plan(20, 4_000)).run();
        }
    }

    @Test
    void noAnswerIsWrongWhileRepliesAreLostAndConnectionsAreCutAndStalled() throws Exception {
        Plan plan = Plan.plan(20, 4_000);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (RedisProxy proxy = RedisProxy.to(redis);
                IdempotencyStore one = new Repeatable(open(proxy.settings(SHORT)), proxy);
                IdempotencyStore two = new Repeatable(open(proxy.settings(SHORT)), proxy)) {
            StoreFuzzer fuzzer = new Fuzzer(redis, List.of(one, two), plan) {
                @Override
                protected void disturb(long operation, Random random) {
                    switch ((int) (operation % 500)) {
                        case 40 -> proxy.loseReplyTo(Script.RESERVE.sha());
                        case 80 -> proxy.loseReplyTo(Script.RECORD.sha());
                        case 120 -> proxy.loseReplyTo(Script.RELEASE.sha());
                        case 160 -> proxy.loseReplyTo(Script.RENEW.sha());
                        case 200, 210 -> proxy.cut();
                        case 300 -> stall(SHORT.dividedBy(4));
                        case 400 -> stall(SHORT.multipliedBy(2));
                        default -> {}
                    }
                }

                private void stall(Duration time) {
                    proxy.pause();
                    var unused = timer.schedule(proxy::resume, time.toMillis(), TimeUnit.MILLISECONDS);
                }
            };
            fuzzer.run();

            assertThat(proxy.lost()).isGreaterThan(10);
            assertThat(fuzzer.answered()).isBetween(plan.operations() / 2L, plan.operations() - 1L);
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void noAnswerIsWrongWhileARedisThatKeepsWhatItHasIsKilledAndRestarted() throws Exception {
        Plan plan = Plan.plan(20, 12_000);
        AtomicInteger kills = new AtomicInteger();
        // What was written before the answer survives its process; to survive the machine it would have to be flushed.
        try (RedisProcess durable = RedisProcess.start("appendonly yes", "appendfsync no");
                IdempotencyStore store = open(durable.settings(SHORT))) {
            StoreFuzzer fuzzer = new Fuzzer(durable, List.of(store), plan) {
                @Override
                protected void disturb(long operation, Random random) {
                    if (operation % (plan.operations() / 6) == 1_000) {
                        kills.incrementAndGet();
                        durable.restart();
                    }
                }
            };
            fuzzer.run();

            assertThat(kills).hasValueGreaterThan(4);
            assertThat(fuzzer.answered()).isBetween(plan.operations() / 10L, plan.operations() - 1L);
        }
    }
}
