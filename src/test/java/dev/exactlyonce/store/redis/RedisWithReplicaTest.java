package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A write counts once a replica has it. */
class RedisWithReplicaTest extends RedisStoreContract {
    private static final Shared SHARED = new Shared();
    private static RedisProcess redis;
    private static RedisProcess replica;

    @BeforeAll
    static void startBoth() {
        redis = RedisProcess.start();
        replica = RedisProcess.start("replicaof " + redis.host() + " " + redis.port());
    }

    @AfterAll
    static void stopBoth() {
        SHARED.close();
        replica.close();
        redis.close();
    }

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        return SHARED.open(redis, settings());
    }

    @Override
    RedisProcess redis() {
        return redis;
    }

    @Override
    RedisSettings settings() {
        return waiting(1, PATIENT);
    }

    private static RedisSettings waiting(int replicas, Duration timeout) {
        RedisSettings plain = redis.settings(timeout);
        return new RedisSettings(plain.server(), plain.file(), plain.prefix(), plain.timeout(), replicas);
    }

    @Test
    void whatIsGrantedIsAtTheReplica() {
        Claim mine = held("k");

        assertThat(replica.command("GET", "exactlyonce:hookidem:" + mine.key().value()))
                .contains(mine.owner());
    }

    @Test
    void aWriteThatTooFewReplicasHaveIsUnavailableAndMayBeRepeated() {
        Claim mine = claim("k");
        Claim done = recorded("done");
        try (RedisStore strict = new RedisStore(waiting(2, Duration.ofMillis(300)), watched)) {
            assertThatThrownBy(() -> strict.reserve(mine)).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> strict.record(mine, RecordedAnswer.of(200), TTL))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> strict.renew(mine)).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(strict::probe)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("fewer replicas of Redis have the write than wait-replicas asks for");
            assertThat(strict.reserve(rivalOf(done))).isInstanceOf(Reservation.AlreadyRecorded.class);
        }

        assertWritten(mine, 200);
        assertRecorded(rivalOf(mine), 200);
    }
}
