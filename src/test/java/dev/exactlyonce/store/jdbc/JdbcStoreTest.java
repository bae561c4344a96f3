package dev.exactlyonce.store.jdbc;

import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.testkit.IdempotencyStoreContract;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class JdbcStoreTest extends IdempotencyStoreContract {
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private KeyDatabase database;

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        database = KeyDatabase.fresh();
        IdempotencyStore opened = database.store(PATIENT);
        opened.probe();
        return opened;
    }

    @Override
    protected void letPass(Duration time) {
        database.letPass(time);
    }

    @Override
    protected Duration tick() {
        return Duration.ofMillis(300);
    }
}
