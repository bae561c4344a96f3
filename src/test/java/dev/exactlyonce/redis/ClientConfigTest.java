package dev.exactlyonce.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ConfigSupport;
import org.redisson.config.Protocol;
import org.redisson.config.ReadMode;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SubscriptionMode;

class ClientConfigTest {
    private static final Duration TIMEOUT = Duration.ofMillis(700);
    private static final String SECRET = "open-sesame";

    @TempDir
    Path folder;

    private RedisSettings file(String... lines) throws IOException {
        Path file = folder.resolve("redisson.yaml");
        Files.write(file, List.of(lines));
        return file(file);
    }

    private static RedisSettings file(Path file) {
        return new RedisSettings(RedisSettings.Server.DEFAULT, Optional.of(file), "p:", TIMEOUT, 0);
    }

    private static RedisSettings server(RedisSettings.Server server) {
        return new RedisSettings(server, Optional.empty(), "p:", TIMEOUT, 0);
    }

    @Test
    void aServerIsAddressedAsItsSettingsSay() throws Exception {
        RedisSettings.Server tls =
                new RedisSettings.Server(true, "redis.example", 6380, 3, Optional.of("user"), Optional.of(SECRET));
        Config config = ClientConfig.of(server(tls));
        SingleServerConfig single = (SingleServerConfig) ConfigSupport.getConfig(config);

        assertThat(single.getAddress()).isEqualTo("rediss://redis.example:6380");
        assertThat(single.getDatabase()).isEqualTo(3);
        assertThat(config.getUsername()).isEqualTo("user");
        assertThat(config.getPassword()).isEqualTo(SECRET);
    }

    @Test
    void anAddressOfIpVersion6StandsInBrackets() throws Exception {
        RedisSettings.Server server =
                new RedisSettings.Server(false, "::1", 6379, 0, Optional.empty(), Optional.empty());

        assertThat(((SingleServerConfig) ConfigSupport.getConfig(ClientConfig.of(server(server)))).getAddress())
                .isEqualTo("redis://[::1]:6379");
    }

    @Test
    void howLongRedisMayTakeIsOursToSay() throws Exception {
        for (RedisSettings settings : List.of(
                server(RedisSettings.Server.DEFAULT),
                file("singleServerConfig:", "  address: \"redis://10.0.0.1:6379\"", "  timeout: 9000"))) {
            BaseConfig<?> servers = ConfigSupport.getConfig(ClientConfig.of(settings));

            assertThat(servers.getTimeout()).isEqualTo(700);
            assertThat(servers.getConnectTimeout()).isEqualTo(2_000);
            assertThat(servers.getRetryAttempts()).isEqualTo(1);
            assertThat(servers.getRetryDelay().calcDelay(1)).isLessThanOrEqualTo(Duration.ofMillis(100));
        }
    }

    @Test
    void theProtocolIsOursToSay() throws Exception {
        Config config =
                ClientConfig.of(file("protocol: RESP3", "singleServerConfig:", "  address: \"redis://10.0.0.1:6379\""));

        assertThat(config.getProtocol()).isEqualTo(Protocol.RESP2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sentinelServersConfig:\n  masterName: m\n  sentinelAddresses: [\"redis://10.0.0.1:26379\"]",
                "clusterServersConfig:\n  nodeAddresses: [\"redis://10.0.0.1:6379\"]",
                "replicatedServersConfig:\n  nodeAddresses: [\"redis://10.0.0.1:6379\"]",
                "masterSlaveServersConfig:\n  masterAddress: \"redis://10.0.0.1:6379\"\n"
                        + "  slaveAddresses: [\"redis://10.0.0.2:6379\"]",
            })
    void nothingIsEverReadFromAReplica(String yaml) throws Exception {
        for (String mode : List.of("", "\n  readMode: SLAVE", "\n  readMode: MASTER_SLAVE")) {
            BaseMasterSlaveServersConfig<?> servers =
                    (BaseMasterSlaveServersConfig<?>) ConfigSupport.getConfig(ClientConfig.of(file(yaml + mode)));

            assertThat(servers.getReadMode()).isEqualTo(ReadMode.MASTER);
            assertThat(servers.getSubscriptionMode()).isEqualTo(SubscriptionMode.MASTER);
            assertThat(servers.getMasterConnectionMinimumIdleSize()).isEqualTo(1);
            assertThat(servers.getSlaveConnectionMinimumIdleSize()).isZero();
        }
    }

    @Test
    void aFileThatIsAllRightHasNoFault() throws Exception {
        assertThat(ClientConfig.faultOf(file("singleServerConfig:", "  address: \"redis://10.0.0.1:6379\"")))
                .isEmpty();
        assertThat(ClientConfig.faultOf(server(RedisSettings.Server.DEFAULT))).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsNamedAsSuch() {
        assertThat(ClientConfig.faultOf(file(folder.resolve("absent.yaml")))).hasValue("the file does not exist");
        assertThat(ClientConfig.faultOf(file(folder))).hasValue("the file cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "open-sesame",
                "singleServerConfig: open-sesame",
                "singleServerConfig:\n  password: open-sesame\n address: [",
                "singleServerConfig:\n  timeout: open-sesame",
                "singleServerConfig:\n  nonsense: open-sesame\n  codec: !<open.sesame> {}",
                "somethingElse:\n  password: open-sesame",
                "- open-sesame",
                "{open-sesame",
                "password: \"open-sesame",
                "a: open-sesame\na: \t- open-sesame",
                "singleServerConfig:\n  address: \"open-sesame\"",
                "clusterServersConfig:\n  nodeAddresses: []",
                "sentinelServersConfig:\n  sentinelAddresses: [\"redis://10.0.0.1:26379\"]",
            })
    void aFileThatIsNoRedissonYamlIsNamedWithoutAWordOfIt(String text) throws Exception {
        Optional<String> fault = ClientConfig.faultOf(file(text));

        assertThat(fault)
                .hasValueSatisfying(it -> assertThat(it)
                        .matches("the file is not valid Redisson YAML(, see line \\d+)?")
                        .doesNotContain("sesame"));
    }

    @Test
    void theLineOfASyntaxErrorIsReported() throws Exception {
        assertThat(ClientConfig.faultOf(file("singleServerConfig:", "  password: open-sesame", " address: [")))
                .hasValueSatisfying(it -> assertThat(it).contains("see line"));
    }

    @Test
    void theClientIsThere() {
        assertThat(RedisSettings.isClientThere()).isTrue();
    }
}
