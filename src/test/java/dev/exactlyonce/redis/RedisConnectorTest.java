package dev.exactlyonce.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;

@Timeout(60)
class RedisConnectorTest {
    @Test
    void anAttemptThatFailedIsFollowedByAnotherAndItsCallersShareIt() {
        AtomicInteger attempts = new AtomicInteger();
        BackgroundThread background = new BackgroundThread("connector-test");
        try (RedisConnector connector = new RedisConnector(background, () -> {
            attempts.incrementAndGet();
            throw new IOException("with a path");
        })) {
            CompletableFuture<Redisson> first = connector.connect();

            assertThat(connector.connect()).isSameAs(first);
            assertThatThrownBy(first::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(RedisUnavailableException.class)
                    .hasMessage("Redis cannot be reached")
                    .hasNoCause();
            await().until(() -> connector.connect() != first);
            await().until(() -> attempts.get() == 2);
            assertThat(connector.connected()).isNull();
        }
    }

    @Test
    void anErrorOfTheSetUpFailsTheAttemptAndEndsNoThread() {
        BackgroundThread background = new BackgroundThread("connector-test");
        try (RedisConnector connector = new RedisConnector(background, () -> {
            throw new NoClassDefFoundError("injected");
        })) {
            assertThatThrownBy(connector.connect()::get)
                    .cause()
                    .isInstanceOf(RedisUnavailableException.class)
                    .hasMessage("the Redis client could not be set up");
            CompletableFuture<Boolean> goesOn = new CompletableFuture<>();
            background.execute(() -> goesOn.complete(true));
            assertThat(goesOn.join()).isTrue();
        }
    }

    @Test
    void aClosedConnectorConnectsNoMore() {
        RedisConnector connector = new RedisConnector(new BackgroundThread("connector-test"), () -> {
            throw new AssertionError("no attempt is made");
        });
        connector.close();
        connector.close();

        assertThatThrownBy(connector.connect()::get)
                .cause()
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessage(RedisFailure.CLOSED);
    }
}
