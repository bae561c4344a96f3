package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.testkit.Together;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user that may run no scripts is no outage. */
class RedisWithoutScriptsTest extends RedisStoreContract {
    private static final Shared SHARED = new Shared();
    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start(DocumentedAcl.line("no scripts"));
    }

    @AfterAll
    static void stopRedis() {
        SHARED.close();
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
        return DocumentedAcl.settings(redis.settings(PATIENT));
    }

    @Test
    void ofManyRecordsOfManyOwnersExactlyOneIsWritten() throws Exception {
        Claim mine = claim("k");
        List<Boolean> written = Together.run(
                16,
                i -> store.record(rivalOf(mine), RecordedAnswer.of(200), TTL)
                        .fold(it -> true, pending -> false, superseded -> false));

        assertThat(written).containsOnlyOnce(true);
    }

    @Test
    void nothingIsWatchedOrQueuedForTheNextCaller() throws Exception {
        Together.run(16, thread -> {
            for (int i = 0; i < 20; i++) {
                Claim mine = claim("k" + i % 3);
                if (store.reserve(mine) instanceof Reservation.Granted) {
                    store.renew(mine);
                    store.release(mine);
                }
            }
            return thread;
        });

        assertGranted(claim("k0"));
        assertGranted(claim("k1"));
        assertGranted(claim("k2"));
    }
}
