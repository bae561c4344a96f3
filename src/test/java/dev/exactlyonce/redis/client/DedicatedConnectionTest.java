package dev.exactlyonce.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.redis.ClientConfig;
import dev.exactlyonce.redis.Deadline;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.store.redis.RedisProcess;
import io.netty.channel.Channel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.Redisson;
import org.redisson.client.RedisConnection;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;

@Timeout(60)
class DedicatedConnectionTest {
    private static final Duration PATIENT = Duration.ofSeconds(10);

    @Test
    void whatIsSaidAfterAReconnectionReachesNoServer() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            Redisson redisson = (Redisson) Redisson.create(ClientConfig.of(redis.settings(PATIENT)));
            RedisConnection connection = redisson.getCommandExecutor()
                    .getConnectionManager()
                    .getEntrySet()
                    .iterator()
                    .next()
                    .connectionWriteOp(RedisCommands.MULTI)
                    .get();
            Channel before = connection.getChannel();
            DedicatedConnection dedicated = new DedicatedConnection(connection, Deadline.in(PATIENT));
            redis.command("SET", "k", "mine");
            dedicated.send(RedisCommands.WATCH, "k");
            dedicated.receive();
            redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            redis.command("SET", "k", "stranger");
            await().until(() ->
                    connection.getChannel() != before && connection.getChannel().isActive());
            dedicated.send(RedisCommands.MULTI);
            dedicated.send(new RedisCommand<Object>("SET"), "k", "record");
            dedicated.send(RedisCommands.EXEC);

            assertThatThrownBy(dedicated::receive)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("Redis cannot be reached");
            assertThat(redis.command("GET", "k")).isEqualTo("stranger");
            redisson.shutdown();
        }
    }
}
