package dev.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.spi.IdempotencyStore;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user that may do what doc/redis.md says, and nothing else. */
class RedisAclTest extends RedisStoreContract {
    /** Of the client's own, once for each connection: it finds out whether scripts know RESP3. */
    private static final String CLIENTS_OWN_KEY = "test1";

    private static final Shared SHARED = new Shared();
    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start(DocumentedAcl.line());
    }

    @AfterAll
    static void nothingElseWasAskedFor() {
        SHARED.close();
        assertThat(DocumentedAcl.refused(redis)).containsOnly(CLIENTS_OWN_KEY);
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
    void nothingIsHiddenFromIt() {
        RedisStore.Application shop = new RedisStore.Application("shop", Duration.ofHours(1));
        try (RedisStore other = connected(new RedisStore(settings(), watched, shop))) {
            await().until(() -> redis.command("ZRANGE", "exactlyonce:applications", "0", "-1")
                    .equals("shop"));
            await().untilAsserted(() -> assertThat(watched.reported).hasPositiveValue());
        }
        assertThat(watched.hidden).isEmpty();
    }

    @Test
    void anotherDatabaseNeedsSelect() {
        try (RedisProcess several = RedisProcess.start(DocumentedAcl.line("a database other than 0"))) {
            RedisSettings first = DocumentedAcl.settings(several.settings(PATIENT));
            RedisSettings.Server there = first.server();
            RedisSettings second = new RedisSettings(
                    new RedisSettings.Server(false, there.host(), there.port(), 1, there.username(), there.password()),
                    first.file(),
                    first.prefix(),
                    PATIENT,
                    0);
            try (RedisStore other = connected(new RedisStore(second, new Watched()))) {
                other.probe();
            }
            assertThat(several.command("KEYS", "*")).isEmpty();
            assertThat(several.command("INFO", "keyspace")).contains("db1:");
            assertThat(DocumentedAcl.refused(several)).containsOnly(CLIENTS_OWN_KEY);
        }
    }
}
