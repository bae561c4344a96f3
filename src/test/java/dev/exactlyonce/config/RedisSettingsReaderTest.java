package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.redis.RedisSettings;
import dev.exactlyonce.redis.RedisSettings.Server;
import dev.exactlyonce.sqlite.SqliteSettings;
import dev.exactlyonce.store.redis.RedisStoreProvider;
import dev.exactlyonce.store.redis.RedisStoreSettings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSettingsReaderTest {
    private static final String FORM = "redis://[user[:password]@]host[:port][/database], or rediss:// for TLS";
    private static final String ENCODED = " encoded ({xor}, {aes}), which is not decoded here; put the plain"
            + " password into the file ${server.config.dir}/variables/exactlyonce.redis.password";

    /** Which Redisson is in the application: a version, or null. */
    private record Client(@Nullable String version) {
        static final Client ABSENT = new Client(null);
        static final Client FINE = new Client("4.7.0");

        StoreProviders providers() {
            return StoreProviders.of(
                    StoreProviders.ofThisApplication().all(),
                    List.of(),
                    (library, loader) -> Optional.ofNullable(version));
        }
    }

    private static final String YAML = "src/test/resources/redisson.yaml";

    private static SettingsReader.Reading read(Client client, String application, ConfigSource source) {
        return new SettingsReader(
                        new SmallRyeConfigBuilder()
                                .addDefaultInterceptors()
                                .withSources(source)
                                .build(),
                        application,
                        client.providers(),
                        InstantSource.system())
                .read(Set.of());
    }

    private static SettingsReader.Reading read(Client client, String... namesAndValues) {
        Map<String, String> properties = new HashMap<>(Map.of("exactlyonce.store", "redis"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put("exactlyonce." + namesAndValues[i], namesAndValues[i + 1]);
        }
        return read(client, "shop", new PropertiesConfigSource(properties, "test", 100));
    }

    private static List<String> problems(String... namesAndValues) {
        return read(Client.FINE, namesAndValues).problems();
    }

    private static Settings settings(String... namesAndValues) {
        SettingsReader.Reading reading = read(Client.FINE, namesAndValues);
        assertThat(reading.problems()).isEmpty();
        return reading.settings();
    }

    private static RedisSettings redis(String... namesAndValues) {
        return RedisStoreSettings.of(settings(namesAndValues).store().values());
    }

    private static Server server(boolean tls, String host, int port, int database, String username, String password) {
        return new Server(tls, host, port, database, Optional.ofNullable(username), Optional.ofNullable(password));
    }

    // --- values

    @Test
    void withoutAnyOfThemEverySettingHasItsDefault() {
        Settings settings = settings();
        assertThat(settings.store().name()).isEqualTo("redis");
        assertThat(RedisStoreSettings.of(settings.store().values()))
                .isEqualTo(
                        new RedisSettings(Server.DEFAULT, Optional.empty(), "exactlyonce:", Duration.ofMillis(500), 0));
    }

    @Test
    void everySettingIsRead() throws Exception {
        Path file = Path.of(YAML);
        assertThat(redis(
                        "redis.url", "rediss://alice:s%40cret@redis.example:7001/5",
                        "redis.config-file", file.toString(),
                        "redis.prefix", "shop|~!z",
                        "redis.timeout", "PT2S",
                        "redis.wait-replicas", "2",
                        "redis.shared-with", "shop-*, Shop und Söhne"))
                .isEqualTo(new RedisSettings(
                        server(true, "redis.example", 7001, 5, "alice", "s@cret"),
                        Optional.of(file.toAbsolutePath()),
                        "shop|~!z",
                        Duration.ofSeconds(2),
                        2,
                        List.of("shop-*", "Shop und Söhne")));
    }

    @Test
    void thePiecesStandForTheUrl() {
        assertThat(redis(
                                "redis.host", "redis.example",
                                "redis.port", "7001",
                                "redis.database", "5",
                                "redis.username", "alice",
                                "redis.password", "100%:s@cret/{x}")
                        .server())
                .isEqualTo(server(false, "redis.example", 7001, 5, "alice", "100%:s@cret/{x}"));
        assertThat(redis("redis.port", "7001").server()).isEqualTo(server(false, "127.0.0.1", 7001, 0, null, null));
        assertThat(redis("redis.host", "::1").server()).isEqualTo(server(false, "[::1]", 6379, 0, null, null));
    }

    @Test
    void whatTheUrlDoesNotHaveMayStandBesideIt() {
        assertThat(redis(
                                "redis.url", "rediss://redis.example",
                                "redis.database", "5",
                                "redis.username", "alice",
                                "redis.password", "secret")
                        .server())
                .isEqualTo(server(true, "redis.example", 6379, 5, "alice", "secret"));
        assertThat(redis("redis.url", "redis://alice@h:1/2", "redis.password", "secret")
                        .server())
                .isEqualTo(server(false, "h", 1, 2, "alice", "secret"));
        assertThat(redis("redis.url", "redis://:secret@h", "redis.username", "alice")
                        .server())
                .isEqualTo(server(false, "h", 6379, 0, "alice", "secret"));
    }

    @Test
    void aPasswordNeedsNoUser() {
        assertThat(redis("redis.url", "redis://:secret@h").server())
                .isEqualTo(server(false, "h", 6379, 0, null, "secret"));
        assertThat(redis("redis.password", "secret").server())
                .isEqualTo(server(false, "127.0.0.1", 6379, 0, null, "secret"));
    }

    @Test
    void theBoundsThemselvesAreAllowed() {
        assertThat(problems(
                        "redis.port", "65535",
                        "redis.database", "2147483647",
                        "redis.prefix", "p".repeat(100),
                        "redis.timeout", "PT0.01S",
                        "redis.wait-replicas", "16"))
                .isEmpty();
        assertThat(problems("redis.port", "1", "redis.database", "0", "redis.prefix", "p", "redis.timeout", "PT60S"))
                .isEmpty();
    }

    @Test
    void theEnvironmentSetsWhatItsNamesStandFor() {
        SettingsReader.Reading reading = read(
                Client.FINE,
                "shop",
                new EnvConfigSource(
                        Map.of(
                                "EXACTLYONCE_STORE", "redis",
                                "EXACTLYONCE_REDIS_HOST", "redis.example",
                                "EXACTLYONCE_REDIS_PORT", "7001",
                                "EXACTLYONCE_REDIS_DATABASE", "5",
                                "EXACTLYONCE_REDIS_USERNAME", "alice",
                                "EXACTLYONCE_REDIS_PASSWORD", "secret",
                                "EXACTLYONCE_REDIS_PREFIX", "shop:",
                                "EXACTLYONCE_REDIS_TIMEOUT", "PT1S",
                                "EXACTLYONCE_REDIS_WAIT_REPLICAS", "1",
                                "EXACTLYONCE_MAX_HOLD", "PT2H"),
                        300));
        assertThat(reading.problems()).isEmpty();
        assertThat(reading.settings().maxHold()).isEqualTo(Duration.ofHours(2));
        assertThat(RedisStoreSettings.of(reading.settings().store().values()))
                .isEqualTo(new RedisSettings(
                        server(false, "redis.example", 7001, 5, "alice", "secret"),
                        Optional.empty(),
                        "shop:",
                        Duration.ofSeconds(1),
                        1));
    }

    @Test
    void theEnvironmentSetsTheUrlAndTheFile() {
        SettingsReader.Reading reading = read(
                Client.FINE,
                "shop",
                new EnvConfigSource(
                        Map.of(
                                "EXACTLYONCE_STORE", "redis",
                                "EXACTLYONCE_REDIS_URL", "redis://:secret@redis.example",
                                "EXACTLYONCE_REDIS_CONFIG_FILE", YAML),
                        300));
        assertThat(reading.problems()).isEmpty();
        RedisSettings redis = RedisStoreSettings.of(reading.settings().store().values());
        assertThat(redis.server()).isEqualTo(server(false, "redis.example", 6379, 0, null, "secret"));
        assertThat(redis.file()).contains(Path.of(YAML).toAbsolutePath());
    }

    // --- malformed values

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "redis.url; tcp://h; its scheme is neither redis:// nor rediss://; " + FORM,
                "redis.url; redis://h/x; its database is not a whole number, 0 to 2147483647; " + FORM,
                "redis.host; redis://h; the value is not allowed; a host name or an IP address",
                "redis.host; h:6379; the value is not allowed; a host name or an IP address",
                "redis.host; a,b; the value is not allowed; a host name or an IP address",
                "redis.host; 1::2::3; the value is not allowed; a host name or an IP address",
                "redis.port; 0; the value is not allowed; 1 to 65535",
                "redis.port; 65536; the value is not allowed; 1 to 65535",
                "redis.port; tcp://10.1.2.3:6379; the value is not allowed; 1 to 65535",
                "redis.database; -1; the value is not allowed; 0 to 2147483647",
                "redis.database; 2147483648; the value is not allowed; 0 to 2147483647",
                "redis.prefix; a b; 'a b' is not allowed; 1 to 100 printable ASCII characters, no blank, no { or }",
                "redis.prefix; {shop}; '{shop}' is not allowed; 1 to 100 printable ASCII characters, no blank, no { or }",
                "redis.prefix; a}; 'a}' is not allowed; 1 to 100 printable ASCII characters, no blank, no { or }",
                "redis.prefix; ä; 'ä' is not allowed; 1 to 100 printable ASCII characters, no blank, no { or }",
                "redis.prefix; a\u007fb; 'a\u007fb' is not allowed; 1 to 100 printable ASCII characters, no blank, no { or }",
                "redis.timeout; PT0.009S; 'PT0.009S' is not allowed; a duration in ISO-8601, PT0.01S to PT60S, such as PT0.5S",
                "redis.timeout; PT60.001S; 'PT60.001S' is not allowed; a duration in ISO-8601, PT0.01S to PT60S, such as PT0.5S",
                "redis.timeout; 500; '500' is not allowed; a duration in ISO-8601, PT0.01S to PT60S, such as PT0.5S",
                "redis.wait-replicas; -1; '-1' is not allowed; a whole number, 0 to 16",
                "redis.wait-replicas; 17; '17' is not allowed; a whole number, 0 to 16",
                "redis.shared-with; shop,,orders; 'shop,,orders' is not allowed; names of applications, separated by commas, with * for any characters, as in shop-*",
                "redis.shared-with; ,; ',' is not allowed; names of applications, separated by commas, with * for any characters, as in shop-*",
                "redis.config-file; target; names a folder, a file is needed; a file that exists and can be read",
                "redis.config-file; no/such.yaml; does not exist; a file that exists and can be read",
                "redis.config-file; /dev/null; cannot be read by this server; a file that exists and can be read",
                "redis.config-file; a\u0000b; is not a valid path on this system; a file that exists and can be read"
            })
    void aMalformedValueNamesTheKeyTheFaultAndWhatIsAllowed(String key, String value, String fault, String allowed) {
        assertThat(problems(key, value)).containsExactly("exactlyonce." + key + ": " + fault + "; allowed: " + allowed);
    }

    @Test
    void aLongPrefixIsRefused() {
        assertThat(problems("redis.prefix", "p".repeat(101)))
                .containsExactly("exactlyonce.redis.prefix: '" + "p".repeat(80)
                        + "…' is not allowed; allowed: 1 to 100 printable ASCII characters, no blank, no { or }");
    }

    @Test
    void everyProblemIsReportedAtOnce() {
        assertThat(problems(
                        "redis.host", "a b",
                        "redis.port", "x",
                        "redis.database", "x",
                        "redis.username", "alice",
                        "redis.password", "{xor}x",
                        "redis.prefix", "{",
                        "redis.timeout", "x",
                        "redis.wait-replicas", "x",
                        "redis.config-file", "no/such.yaml"))
                .extracting(it -> it.substring("exactlyonce.redis.".length(), it.indexOf(':')))
                .containsExactlyInAnyOrder(
                        "host", "port", "database", "password", "prefix", "timeout", "wait-replicas", "config-file");
    }

    @Test
    void aMisspelledNameIsToldTheRightOne() {
        assertThat(problems("redis.pasword", "hunter2"))
                .containsExactly(
                        "exactlyonce.redis.pasword: unknown setting; the nearest known one is exactlyonce.redis.password");
    }

    // --- what does not go together

    @ParameterizedTest
    @CsvSource({
        "redis://h, redis.host, h",
        "redis://h, redis.port, 6379",
        "redis://h/0, redis.database, 0",
        "redis://alice:secret@h, redis.username, alice",
        "redis://:secret@h, redis.password, secret"
    })
    void whatTheUrlSaysIsNotSaidTwice(String url, String key, String value) {
        assertThat(problems("redis.url", url, key, value))
                .containsExactly("exactlyonce." + key
                        + ": is part of exactlyonce.redis.url, which is also set; remove one of the two");
    }

    @Test
    void aUserNeedsAPassword() {
        assertThat(problems("redis.username", "alice"))
                .containsExactly(
                        "exactlyonce.redis.username: a user needs a password; a password alone is redis://:password@host");
        assertThat(problems("redis.url", "redis://secret@h"))
                .containsExactly(
                        "exactlyonce.redis.url: a user needs a password; a password alone is redis://:password@host");
    }

    @Test
    void besideAFileThePiecesDoNotContradictEachOtherButEachIsChecked() {
        assertThat(problems(
                        "redis.config-file", YAML,
                        "redis.url", "redis://alice@h",
                        "redis.host", "h",
                        "redis.username", "alice"))
                .isEmpty();
        assertThat(problems("redis.config-file", YAML, "redis.port", "x"))
                .containsExactly("exactlyonce.redis.port: the value is not allowed; allowed: 1 to 65535");
    }

    // --- secrets

    @ParameterizedTest
    @ValueSource(strings = {"{xor}Lz4sLA==", "{aes}AEmVKa+jOeA7pos+sSfpHNmH1MVfwg8Z", "{AES}x", "{hash}x", "{xor}"})
    void anEncodedPasswordIsRefused(String password) {
        assertThat(problems("redis.password", password)).containsExactly("exactlyonce.redis.password: is" + ENCODED);
        assertThat(problems("redis.url", "redis://:" + password.replace("/", "%2F") + "@h"))
                .containsExactly("exactlyonce.redis.url: its password is" + ENCODED);
        assertThat(problems("redis.url", password)).containsExactly("exactlyonce.redis.url: is" + ENCODED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis.url", "redis.username", "redis.password"})
    void aSecretThatDoesNotExpandIsAProblemAndNotShown(String key) {
        assertThat(problems(key, "redis://:hunter2${no.such.name}@h"))
                .containsExactly("exactlyonce." + key
                        + ": the value holds a ${…} that does not expand; escape it as \\${…} or define what it names");
    }

    @Test
    void whateverIsWrongNoSecretIsTold() {
        String secret = "hunter2";
        for (String slip :
                List.of("%s", "%s@", "redis://%s", "redis://%s@h:x", "redis://u:%s@h,i", "{xor}%s", "h:%s")) {
            for (String key : List.of("url", "host", "port", "database", "username", "password", "config-file")) {
                SettingsReader.Reading reading =
                        read(Client.ABSENT, "redis." + key, slip.formatted(secret), "redis.timeout", "x");
                assertThat(reading.problems()).as(key + "=" + slip).noneMatch(it -> it.contains("hunt"));
                assertThat(reading.settings().toString()).doesNotContain("hunt");
            }
        }
    }

    @Test
    void settingsDoNotTellWhereRedisIs() {
        SettingsReader.Reading reading = read(Client.FINE, "redis.url", "redis://al1ce:hunter2@r3dis.example:7001/54");
        assertThat(reading.problems()).isEmpty();
        assertThat(List.of(
                        reading.toString(),
                        reading.settings().toString(),
                        RedisStoreSettings.of(reading.settings().store().values())
                                .toString()))
                .noneMatch(it -> it.contains("al1ce")
                        || it.contains("hunter2")
                        || it.contains("r3dis")
                        || it.contains("7001")
                        || it.contains("54"));
    }

    // --- the client

    @Test
    void withoutRedissonTheDeploymentFailsWithItsCoordinates() {
        assertThat(read(Client.ABSENT).problems())
                .containsExactly("exactlyonce.store: 'redis' needs Redisson in the application; add the dependency"
                        + " org.redisson:redisson:4.7.0");
    }

    @Test
    void theCoordinatesAreThoseOfTheBuild() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        String version = pom.replaceAll("(?s).*<version.redisson>(.*?)</version.redisson>.*", "$1");
        assertThat(new RedisStoreProvider().libraries())
                .singleElement()
                .satisfies(it -> assertThat(it.testedVersions()).contains(version))
                .satisfies(it -> assertThat(LibraryVersions.find(it, getClass().getClassLoader()))
                        .contains(version));
    }

    @ParameterizedTest
    @CsvSource({"4.6.0, 4.6.0", "4.7.1, 4.7.1", "'', an unknown version"})
    void anotherRedissonThanTheTestedOneFailsTheDeploymentAndBothAreNamed(String version, String named) {
        assertThat(read(new Client(version)).problems())
                .containsExactly("exactlyonce.store: 'redis' needs Redisson 4.7.0, the application has " + named
                        + "; use the dependency org.redisson:redisson:4.7.0");
    }

    @Test
    void whatRedissonCannotTakeIsReportedForTheFile() {
        assertThat(problems("redis.config-file", "pom.xml"))
                .singleElement()
                .asString()
                .startsWith("exactlyonce.redis.config-file: the file is not valid Redisson YAML");
    }

    // --- with another store

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "memory"})
    void withAnotherStoreATypoIsToldAndNothingElseCounts(String store) {
        assertThat(read(Client.ABSENT, "store", store, "redis.timeout", "500ms", "redis.port", "x")
                        .problems())
                .containsExactly(
                        "exactlyonce.redis.port: the value is not allowed; allowed: 1 to 65535",
                        "exactlyonce.redis.timeout: '500ms' is not allowed; allowed: a duration in ISO-8601, PT0.01S to"
                                + " PT60S, such as PT0.5S");
        SettingsReader.Reading fine = read(
                Client.ABSENT,
                "store",
                store,
                "redis.url",
                "redis://:secret@h",
                "redis.config-file",
                "not/on/this/machine.yaml");
        assertThat(fine.problems()).isEmpty();
        assertThat(fine.settings().store().name()).isEqualTo(store);
    }

    // --- what stands in for it

    @Test
    void theFallbackIsTheFileOfSqliteWithTheTimeoutOfRedis() {
        assertThat(settings().store().sqliteFile())
                .contains(new SqliteSettings(Path.of("exactly-once-shop.db"), Duration.ofMillis(500)));
        assertThat(settings("sqlite.path", "target/fallback.db", "redis.timeout", "PT0.01S")
                        .store()
                        .sqliteFile())
                .contains(new SqliteSettings(Path.of("target/fallback.db"), Duration.ofMillis(10)));
        assertThat(settings("redis.timeout", "PT60S")
                        .store()
                        .sqliteFile()
                        .orElseThrow()
                        .timeout())
                .isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void aFallbackThatSomebodyChoseMustBePossible() {
        assertThat(problems("sqlite.path", "no/such/folder/keys.db"))
                .containsExactly("exactlyonce.sqlite.path: its folder does not exist; allowed: a file in a folder that"
                        + " exists, on a local file system");
        assertThat(problems("sqlite.path", "a\u0000b"))
                .containsExactly("exactlyonce.sqlite.path: is not a valid path on this system");
    }

    @Test
    void withoutAPlaceForTheFileThatNobodyChoseMemoryStandsIn() throws Exception {
        Path inTheWay = Files.createDirectory(Path.of("exactly-once-in-the-way.db"));
        try {
            SettingsReader.Reading redis = read(
                    Client.FINE,
                    "in-the-way",
                    new PropertiesConfigSource(Map.of("exactlyonce.store", "redis"), "test", 100));
            assertThat(redis.problems()).isEmpty();
            assertThat(redis.settings().store().sqliteFile()).isEmpty();
            assertThat(redis.settings().store().name()).isEqualTo("redis");
            SettingsReader.Reading sqlite = read(
                    Client.FINE,
                    "in-the-way",
                    new PropertiesConfigSource(Map.of("exactlyonce.store", "sqlite"), "test", 100));
            assertThat(sqlite.problems())
                    .containsExactly("exactlyonce.sqlite.path: names a folder, a file is needed; allowed: a file in a"
                            + " folder that exists, on a local file system");
        } finally {
            Files.delete(inTheWay);
        }
    }
}
