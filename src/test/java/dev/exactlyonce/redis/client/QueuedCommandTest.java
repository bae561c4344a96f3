package dev.exactlyonce.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.redisson.client.protocol.RedisCommands;

class QueuedCommandTest {
    @Test
    void anOperationThatWasGivenUpIsNotBegunAndOneThatWasBegunCanStillBeGivenUp() {
        QueuedCommand waiting = new QueuedCommand(RedisCommands.PING, new Object[0], false);
        waiting.giveUp();
        assertThat(waiting.begin()).isFalse();
        assertThat(waiting.wasSent()).isFalse();
        QueuedCommand sent = new QueuedCommand(RedisCommands.PING, new Object[0], false);
        assertThat(sent.begin()).isTrue();
        assertThat(sent.wasSent()).isTrue();
        sent.giveUp();
        assertThat(sent.isGivenUp()).isTrue();
    }
}
