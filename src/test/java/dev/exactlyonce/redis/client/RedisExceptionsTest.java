package dev.exactlyonce.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisBusyException;
import org.redisson.client.RedisClusterDownException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisLoadingException;
import org.redisson.client.RedisMasterDownException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.RedisWrongPasswordException;
import org.redisson.client.WriteRedisConnectionException;

class RedisExceptionsTest {
    /** What the client adds to nearly every text. */
    private static final String TAIL = ". channel: [id: 0x1, L:/10.1.2.3:5 - R:redis.example/10.1.2.4:6379] command: "
            + "(EVALSHA), params: [exactlyonce:hookidem:github:k, open-sesame]";

    static Stream<Arguments> everyKind() {
        RedisConnectionException refused =
                new RedisConnectionException("Unable to connect to Redis server: redis.example/10.1.2.4:6379");
        return Stream.of(
                Arguments.of(new RedisTimeoutException("Command still" + TAIL), "Redis did not answer in time"),
                Arguments.of(new RedisResponseTimeoutException("Redis" + TAIL), "Redis did not answer in time"),
                Arguments.of(new TimeoutException(), "Redis did not answer in time"),
                Arguments.of(refused, "Redis cannot be reached"),
                Arguments.of(new ConnectException("redis.example/10.1.2.4:6379"), "Redis cannot be reached"),
                Arguments.of(new IOException("Connection reset" + TAIL), "Redis cannot be reached"),
                Arguments.of(new WriteRedisConnectionException("Unable" + TAIL), "Redis cannot be reached"),
                Arguments.of(new SharedConnection.Cut(), "Redis cannot be reached"),
                Arguments.of(
                        new RedisConnectionException(
                                "Unable to connect to redis.example", new SSLHandshakeException("CN=redis.example")),
                        "Redis cannot be reached: TLS failed"),
                Arguments.of(
                        new RedisConnectionException(
                                "Unable to connect to redis.example",
                                new CompletionException(new RedisWrongPasswordException(
                                        "WRONGPASS invalid username-password pair" + TAIL))),
                        "Redis refuses the login (WRONGPASS)"),
                Arguments.of(
                        new RedisException("ERR AUTH <password> called without any password configured" + TAIL),
                        "Redis refuses the login (WRONGPASS)"),
                Arguments.of(new RedisReadonlyException("READONLY You" + TAIL), "Redis refuses writes (READONLY)"),
                Arguments.of(
                        new RedisException("ERR Error running script (call to f_0): @user_script:8: @user_script: 8: "
                                + "-READONLY You can't write against a read only replica." + TAIL),
                        "Redis refuses writes (READONLY)"),
                Arguments.of(new RedisOutOfMemoryException("command" + TAIL), "Redis is out of memory (maxmemory)"),
                Arguments.of(
                        new RedisException("MISCONF Redis is configured" + TAIL),
                        "Redis cannot save to its disk and refuses writes (MISCONF)"),
                Arguments.of(new RedisLoadingException("LOADING " + TAIL), "Redis is loading its data (LOADING)"),
                Arguments.of(new RedisBusyException("BUSY Redis" + TAIL), "Redis is busy with a script (BUSY)"),
                Arguments.of(
                        new RedisClusterDownException("CLUSTERDOWN The" + TAIL),
                        "the Redis Cluster is down (CLUSTERDOWN)"),
                Arguments.of(
                        new RedisMasterDownException("MASTERDOWN Link" + TAIL),
                        "Redis has lost its master (MASTERDOWN)"),
                Arguments.of(
                        new RedisException("NOPERM this user" + TAIL),
                        "Redis does not permit the command or the key (NOPERM)"),
                Arguments.of(
                        new RedisException(
                                "NOPERM this user has no permissions to run the 'ping' command or its subcommand"
                                        + TAIL),
                        "Redis does not permit PING (NOPERM)"),
                Arguments.of(
                        new RedisException(
                                "NOPERM User sesame has no permissions to run the 'client|id' command" + TAIL),
                        "Redis does not permit CLIENT|ID (NOPERM)"),
                Arguments.of(
                        new RedisException(
                                "NOPERM this user has no permissions to access one of the keys used as arguments" + TAIL
                                        + " has no permissions to run the 'sesame' command"),
                        "Redis does not permit a key (NOPERM)"),
                Arguments.of(
                        new RedisException(
                                "NOPERM User sesame has no permissions to access the 'hookidem:k' key" + TAIL),
                        "Redis does not permit a key (NOPERM)"),
                Arguments.of(
                        new RedisException(
                                "ERR Error running script (call to f_0): @user_script:1: WRONGTYPE x" + TAIL),
                        "a key of Redis holds what is not ours (WRONGTYPE)"),
                Arguments.of(new RedisException("EXECABORT Transaction" + TAIL), "Redis failed: EXECABORT"),
                Arguments.of(new RedisException("ERR something new" + TAIL), "Redis failed: ERR"),
                Arguments.of(
                        new RedissonShutdownException("Redis client redis.example is shutdown"),
                        "the Redis store is closed"));
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void aFailureIsNamedByItsKindAlone(Throwable failure, String message) {
        StoreUnavailableException named = RedisExceptions.of(RedisExceptions.cause(new ExecutionException(failure)));

        assertThat(named).hasMessage(message).hasNoCause();
        assertThat(named.getSuppressed()).isEmpty();
        assertThat(named.toString()).doesNotContain("redis.example", "10.1.2", "6379", "sesame", "hookidem:");
    }

    @Test
    void aFaultOfOursIsNotAFailureOfRedis() {
        IllegalArgumentException ours = new IllegalArgumentException("ours");

        assertThatThrownBy(() -> RedisExceptions.of(ours)).isSameAs(ours);
    }

    @Test
    void onlyAMissingPermissionOrCommandForbidsScripts() {
        assertThat(RedisExceptions.isForbidden(new RedisException("NOPERM this user" + TAIL)))
                .isTrue();
        assertThat(RedisExceptions.isForbidden(new RedisException("ERR unknown command `EVALSHA`, with args" + TAIL)))
                .isTrue();
        assertThat(RedisExceptions.isForbidden(new RedisException("ERR something else" + TAIL)))
                .isFalse();
        assertThat(RedisExceptions.isForbidden(new RedisTimeoutException("late")))
                .isFalse();
        assertThat(RedisExceptions.isForbidden(null)).isFalse();
    }
}
