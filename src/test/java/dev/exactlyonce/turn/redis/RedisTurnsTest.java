package dev.exactlyonce.turn.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.store.redis.RedisProcess;
import dev.exactlyonce.turn.SessionKey;
import dev.exactlyonce.turn.TakeReply;
import dev.exactlyonce.turn.TakenTurn;
import dev.exactlyonce.turn.TurnRenewal;
import dev.exactlyonce.turn.TurnRequest;
import dev.exactlyonce.turn.TurnStore;
import dev.exactlyonce.turn.TurnStoreContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisTurnsTest extends TurnStoreContract {
    private static final Duration PATIENT = Duration.ofSeconds(10);
    private static final String PREFIX = "exactlyonce:turnlock:";

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
    protected TurnStore open() {
        RedisTurns turns = new RedisTurns(redis.settings(PATIENT));
        await().untilAsserted(() -> assertThat(turns.hearsOffers()).isTrue());
        return turns;
    }

    @Override
    protected void endTtl(SessionKey session) {
        redis.command("DEL", PREFIX + session.value());
    }

    @Override
    protected void endWaiting(SessionKey session) {
        String queue = "exactlyonce:turnlock-queue:{" + PREFIX + session.value() + "}";
        redis.command("ZRANGE", queue, "0", "-1")
                .lines()
                .forEach(member -> redis.command("ZADD", queue, "XX", "1", member));
    }

    @Test
    void theHolderStandsAtTheSessionsKeyWithItsTtl() {
        try (TurnStore store = open()) {
            TurnRequest turn = request();
            store.take(turn);
            String key = PREFIX + turn.session().value();
            assertThat(redis.command("GET", key)).endsWith(turn.token());
            assertThat(Long.parseLong(redis.command("PTTL", key))).isBetween(1L, 60_000L);
            store.release(turn);
            assertThat(redis.command("EXISTS", key)).isEqualTo("0");
        }
    }

    @Test
    void aValueOfAnotherProgramIsNeverOverwrittenOrDeleted() {
        try (TurnStore store = open()) {
            TurnRequest turn = request();
            String key = PREFIX + turn.session().value();
            redis.command("SET", key, "of another program");
            assertThat(store.take(turn)).isInstanceOf(TakeReply.Queued.class);
            assertThat(store.release(turn)).isFalse();
            assertThat(store.renewAll(List.of(new TakenTurn(turn, 1)))).containsExactly(TurnRenewal.LOST);
            assertThat(redis.command("GET", key)).isEqualTo("of another program");
        }
    }

    @Test
    void aHolderWhoseKeyWasLostTakesItAgainIfNobodyHadItSince() {
        try (TurnStore store = open()) {
            TurnRequest turn = request();
            long fence = ((TakeReply.Taken) store.take(turn)).fence();
            endTtl(turn.session());
            assertThat(store.renewAll(List.of(new TakenTurn(turn, fence)))).containsExactly(TurnRenewal.HELD);
            redis.command("FLUSHALL");
            assertThat(store.renewAll(List.of(new TakenTurn(turn, fence)))).containsExactly(TurnRenewal.HELD);
            assertThat(store.take(request())).isInstanceOf(TakeReply.Queued.class);
        }
    }

    @Test
    void scriptsAreSentAgainToARedisThatLostThem() {
        try (TurnStore store = open()) {
            store.take(request());
            redis.command("SCRIPT", "FLUSH");
            assertThat(store.take(new TurnRequest(
                            SessionKey.of("after the flush"), "token", Duration.ofSeconds(60), Duration.ZERO)))
                    .isInstanceOf(TakeReply.Taken.class);
        }
    }

    @Test
    void aRedisThatIsAwayIsAFailureWithinTheTimeout() {
        try (RedisProcess other = RedisProcess.start();
                TurnStore store = new RedisTurns(other.settings(Duration.ofMillis(200)))) {
            store.probe();
            other.kill();
            assertThatThrownBy(() -> store.take(request())).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> store.renewAll(List.of(new TakenTurn(request(), 1))))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void everyKeyOfASessionHasAnExpiry() {
        try (TurnStore store = open()) {
            redis.command("FLUSHALL");
            TurnRequest holder = request();
            store.take(holder);
            store.take(request());
            assertThat(redis.command("KEYS", "*").lines())
                    .hasSize(3)
                    .allMatch(key -> Long.parseLong(redis.command("PTTL", key)) > 0);
        }
    }
}
