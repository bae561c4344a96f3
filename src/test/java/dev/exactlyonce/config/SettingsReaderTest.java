package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.spi.SettingDefinition;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {
    private static final Path HERE = Path.of("target");

    private static Config config(Map<String, String> properties) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build();
    }

    private static SettingsReader.Reading read(Map<String, String> properties, String... literals) {
        return new SettingsReader(
                        config(properties), "shop", StoreProviders.ofThisApplication(), InstantSource.system())
                .read(Set.of(literals));
    }

    private static Settings settings(Map<String, String> properties, String... literals) {
        SettingsReader.Reading reading = read(properties, literals);
        assertThat(reading.problems()).isEmpty();
        return reading.settings();
    }

    private static List<String> problems(String... namesAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return read(properties, "github").problems();
    }

    private static SourceSettings source(Settings settings, String name) {
        return settings.sources().find(name).orElseThrow();
    }

    // --- what fits the sender

    @ParameterizedTest
    @CsvSource({"sub-minute, PT24H", "sub-hour, P7D", "daily, P30D", "PT3H, PT3H"})
    void aTtlMayBeTheSendersCadence(String written, Duration ttl) {
        assertThat(source(settings(Map.of("exactlyonce.source.github.ttl", written), "github"), "github")
                        .policy()
                        .ttl())
                .isEqualTo(ttl);
        assertThat(source(settings(Map.of("exactlyonce.ttl", written), "github"), "github")
                        .policy()
                        .ttl())
                .isEqualTo(ttl);
    }

    @Test
    void aLeaseOrATtlThatDoesNotGoWithTheSendersRetriesIsWarnedOfWithBothNumbers() {
        Map<String, String> slack = new HashMap<>(Map.of(
                "exactlyonce.source.slack.preset", "slack",
                "exactlyonce.source.slack.secret", "0123456789abcdef"));
        assertThat(settings(slack, "slack").warnings()).isEmpty();
        slack.put("exactlyonce.source.slack.lease", "PT15M");
        slack.put("exactlyonce.source.slack.ttl", "PT10M");
        assertThat(settings(slack, "slack").warnings())
                .satisfiesExactly(
                        lease -> assertThat(lease)
                                .startsWith("exactlyonce.source.slack.lease: ")
                                .contains("PT15M", "PT6M"),
                        ttl -> assertThat(ttl)
                                .startsWith("exactlyonce.source.slack.ttl: ")
                                .contains("PT10M", "PT6M"));
    }

    @Test
    void aPresetSetsLeaseTtlAndCapAndTheSourceMayChangeThem() {
        Map<String, String> github = new HashMap<>(Map.of(
                "exactlyonce.ttl", "PT1H",
                "exactlyonce.source.github.preset", "github",
                "exactlyonce.source.github.secret", "0123456789abcdef"));
        SourcePolicy preset = source(settings(github, "github"), "github").policy();
        assertThat(preset.ttl()).isEqualTo(Duration.ofDays(31));
        assertThat(preset.maxBodySize()).isEqualTo(25 * 1024 * 1024);
        github.put("exactlyonce.source.github.ttl", "P40D");
        assertThat(source(settings(github, "github"), "github").policy().ttl()).isEqualTo(Duration.ofDays(40));
    }

    // --- defaults and values

    @Test
    void withoutAnyConfigurationEverySettingHasItsDefault() {
        Settings settings = settings(Map.of(), "github");
        assertThat(settings.application()).isEqualTo("shop");
        assertThat(settings.store().name()).isEqualTo("sqlite");
        assertThat(settings.store().sqliteFile().orElseThrow().path())
                .isEqualTo(Path.of("exactly-once-shop.db").toAbsolutePath());
        assertThat(settings.maxHold()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.remember()).isEqualTo(100_000);
        assertThat(settings.downWhenDegraded()).isFalse();
        assertThat(settings.sources().names()).containsExactly("github");
        SourceSettings source = source(settings, "github");
        assertThat(source.inFlightStatus()).isEqualTo(409);
        assertThat(source.bodyStandsIn()).isFalse();
        assertThat(source.replayMaxSize()).isEqualTo(65_536);
        assertThat(source.policy())
                .isEqualTo(new SourcePolicy(
                        "github",
                        source.policy().keys(),
                        DeliveryVerifier.NONE,
                        Duration.ofMinutes(15),
                        Duration.ofHours(24),
                        1_048_576,
                        FingerprintBy.NONE,
                        RecordOn.SUCCESS,
                        OnOutage.ADMIT,
                        Duplicates.ACK));
        assertThat(source.policy().keys().resolve(new SentRequest().withHeader("webhook-id", "1"), new byte[0]))
                .isEqualTo(new Resolution.KeyParts(List.of("1")));
    }

    /** Allowed with a preset alone. */
    private static boolean isOfSignature(SettingDefinition<?> setting) {
        return SignatureSettings.OF_EVERY_SCHEME.contains(setting) || SignatureSettings.OF_GENERIC.contains(setting);
    }

    @Test
    void theDefaultsOfTheTableAreTheDefaultsOfTheCode() {
        Map<String, String> written = new HashMap<>();
        Stream.of(GlobalSettings.ALL, PerSourceSettings.ALL)
                .flatMap(List::stream)
                .filter(it -> it != PerSourceSettings.REPLAY_MAX_SIZE) // allowed with duplicate=replay alone
                .filter(it -> !isOfSignature(it))
                .forEach(it -> DocumentedDefaults.put(it, "github", written));
        assertThat(written).hasSizeGreaterThan(10);
        Settings byDefault = settings(Map.of(), "github");
        Settings spelledOut = settings(written, "github");
        assertThat(spelledOut.maxHold()).isEqualTo(byDefault.maxHold());
        assertThat(spelledOut.remember()).isEqualTo(byDefault.remember());
        assertThat(spelledOut.store().name()).isEqualTo(byDefault.store().name());
        assertThat(spelledOut.downWhenDegraded()).isEqualTo(byDefault.downWhenDegraded());
        SourceSettings spelledOutSource = source(spelledOut, "github");
        SourceSettings defaultSource = source(byDefault, "github");
        assertThat(spelledOutSource.inFlightStatus()).isEqualTo(defaultSource.inFlightStatus());
        assertThat(spelledOutSource.bodyStandsIn()).isEqualTo(defaultSource.bodyStandsIn());
        assertThat(spelledOutSource.policy().withKeys(defaultSource.policy().keys()))
                .isEqualTo(defaultSource.policy());
    }

    @Test
    void everySettingIsRead() {
        Settings settings = settings(Map.ofEntries(
                Map.entry("exactlyonce.sources", "billing, github ,"),
                Map.entry("exactlyonce.sqlite.path", "target/keys.db"),
                Map.entry("exactlyonce.max-hold", "PT20M"),
                Map.entry("exactlyonce.remember", "0"),
                Map.entry("exactlyonce.health.down-when-degraded", "true"),
                Map.entry("exactlyonce.source.github.key", "path:account\t json:/id|header:X-Id"),
                Map.entry("exactlyonce.source.github.lease", "PT2M"),
                Map.entry("exactlyonce.source.github.ttl", "P7D"),
                Map.entry("exactlyonce.source.github.on-outage", "reject"),
                Map.entry("exactlyonce.source.github.max-body-size", "10"),
                Map.entry("exactlyonce.source.github.missing-key", "body"),
                Map.entry("exactlyonce.source.github.fingerprint", "body"),
                Map.entry("exactlyonce.source.github.record-on", "client-error"),
                Map.entry("exactlyonce.source.github.in-flight-status", "425"),
                Map.entry("exactlyonce.source.github.duplicate", "replay"),
                Map.entry("exactlyonce.source.github.replay.max-size", "1000")));
        assertThat(settings.sources().names()).containsExactly("billing", "github");
        assertThat(settings.store().sqliteFile().orElseThrow().path())
                .isEqualTo(HERE.resolve("keys.db").toAbsolutePath());
        assertThat(settings.maxHold()).isEqualTo(Duration.ofMinutes(20));
        assertThat(settings.remember()).isZero();
        assertThat(settings.downWhenDegraded()).isTrue();
        SourceSettings github = source(settings, "github");
        assertThat(github.inFlightStatus()).isEqualTo(425);
        assertThat(github.bodyStandsIn()).isTrue();
        assertThat(github.replayMaxSize()).isEqualTo(1_000);
        assertThat(github.policy())
                .isEqualTo(new SourcePolicy(
                        "github",
                        github.policy().keys(),
                        DeliveryVerifier.NONE,
                        Duration.ofMinutes(2),
                        Duration.ofDays(7),
                        10,
                        FingerprintBy.BODY,
                        RecordOn.CLIENT_ERROR,
                        OnOutage.REJECT,
                        Duplicates.REPLAY));
        assertThat(github.policy()
                        .keys()
                        .resolve(new SentRequest().withPath("account", "acme").withHeader("X-Id", "1"), new byte[] {'1'
                        }))
                .isEqualTo(new Resolution.KeyParts(List.of("acme", "1")));
        assertThat(source(settings, "billing").policy().lease()).isEqualTo(Duration.ofMinutes(15));
    }

    @Test
    void aSourceTakesTheGlobalSettingUnlessItHasItsOwn() {
        Settings settings = settings(
                Map.of(
                        "exactlyonce.lease", "PT1M",
                        "exactlyonce.ttl", "PT2H",
                        "exactlyonce.on-outage", "reject",
                        "exactlyonce.max-body-size", "5",
                        "exactlyonce.source.own.lease", "PT3M",
                        "exactlyonce.source.own.ttl", "PT4H",
                        "exactlyonce.source.own.on-outage", "admit",
                        "exactlyonce.source.own.max-body-size", "6"),
                "own",
                "global");
        SourcePolicy global = source(settings, "global").policy();
        assertThat(global.lease()).isEqualTo(Duration.ofMinutes(1));
        assertThat(global.ttl()).isEqualTo(Duration.ofHours(2));
        assertThat(global.onOutage()).isEqualTo(OnOutage.REJECT);
        assertThat(global.maxBodySize()).isEqualTo(5);
        SourcePolicy own = source(settings, "own").policy();
        assertThat(own.lease()).isEqualTo(Duration.ofMinutes(3));
        assertThat(own.ttl()).isEqualTo(Duration.ofHours(4));
        assertThat(own.onOutage()).isEqualTo(OnOutage.ADMIT);
        assertThat(own.maxBodySize()).isEqualTo(6);
    }

    @Test
    void theMemoryStoreNeedsNoFile() {
        Settings settings =
                settings(Map.of("exactlyonce.store", "memory", "exactlyonce.sqlite.path", "no/such/folder/keys.db"));
        assertThat(settings.store().name()).isEqualTo("memory");
        assertThat(settings.store().sqliteFile()).isEmpty();
    }

    @Test
    void anApplicationsNameMakesAFileNameOfThisFolder() {
        Settings settings = new SettingsReader(
                        config(Map.of()),
                        "../my shop\u0000",
                        StoreProviders.ofThisApplication(),
                        InstantSource.system())
                .read(Set.of())
                .settings();
        assertThat(settings.store().sqliteFile().orElseThrow().path())
                .isEqualTo(Path.of("exactly-once-.._my_shop_.db").toAbsolutePath());
    }

    @Test
    void blanksAroundAValueDoNotCountAndAnEmptyOneIsNone() {
        Settings settings = settings(Map.of("exactlyonce.lease", " PT1M ", "exactlyonce.ttl", ""), "github");
        assertThat(source(settings, "github").policy().lease()).isEqualTo(Duration.ofMinutes(1));
        assertThat(source(settings, "github").policy().ttl()).isEqualTo(Duration.ofHours(24));
    }

    // --- malformed values

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "exactlyonce.store; h2; 'h2' is not allowed; allowed: sqlite, redis, memory, jdbc",
                "exactlyonce.store; SQLITE; 'SQLITE' is not allowed; allowed: sqlite, redis, memory, jdbc",
                "exactlyonce.on-outage; block; 'block' is not allowed; allowed: admit, reject",
                "exactlyonce.on-outage; ADMIT; 'ADMIT' is not allowed; allowed: admit, reject",
                "exactlyonce.max-body-size; 1MiB; '1MiB' is not allowed; allowed: a whole number, 0 to 1073741824",
                "exactlyonce.max-body-size; -1; '-1' is not allowed; allowed: a whole number, 0 to 1073741824",
                "exactlyonce.max-body-size; 1073741825; '1073741825' is not allowed; allowed: a whole number, 0 to 1073741824",
                "exactlyonce.max-body-size; 99999999999; '99999999999' is not allowed; allowed: a whole number, 0 to 1073741824",
                "exactlyonce.max-body-size; ١٢; '١٢' is not allowed; allowed: a whole number, 0 to 1073741824",
                "exactlyonce.remember; -1; '-1' is not allowed; allowed: a whole number, 0 to 10000000",
                "exactlyonce.remember; 10000001; '10000001' is not allowed; allowed: a whole number, 0 to 10000000",
                "exactlyonce.health.down-when-degraded; yes; 'yes' is not allowed; allowed: true, false",
                "exactlyonce.source.github.missing-key; uuid; 'uuid' is not allowed; allowed: reject, body",
                "exactlyonce.source.github.fingerprint; sha256; 'sha256' is not allowed; allowed: none, body, separate",
                "exactlyonce.source.github.record-on; client_error; 'client_error' is not allowed; allowed: success, client-error, always",
                "exactlyonce.source.github.on-outage; no; 'no' is not allowed; allowed: admit, reject",
                "exactlyonce.source.github.in-flight-status; 200; '200' is not allowed; allowed: 409, 425, 503",
                "exactlyonce.source.github.duplicate; 409; '409' is not allowed; allowed: ack, replay, forward",
                "exactlyonce.source.github.replay.max-size; 1048577; '1048577' is not allowed; allowed: a whole number, 0 to 1048576",
                "exactlyonce.source.github.max-body-size; x; 'x' is not allowed; allowed: a whole number, 0 to 1073741824",
                "exactlyonce.sqlite.path; target; names a folder, a file is needed; allowed: a file in a folder that exists, on a local file system",
                "exactlyonce.sqlite.path; no/such/folder/keys.db; its folder does not exist; allowed: a file in a folder that exists, on a local file system"
            })
    void aMalformedValueNamesTheKeyTheFaultAndWhatIsAllowed(String key, String value, String fault, String allowed) {
        assertThat(problems(key, value)).containsExactly(key + ": " + fault + "; " + allowed);
    }

    @Test
    void aPathWithACharacterThatNoPathHasIsNamed() {
        assertThat(problems("exactlyonce.sqlite.path", "a\u0000b"))
                .containsExactly("exactlyonce.sqlite.path: is not a valid path on this system");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PT0S",
                "PT-1S",
                "PT0.0001S",
                "P366D",
                "P100000D",
                "PT9999999999999999S",
                "PT99999999999999999999S",
                "15m",
                "900",
                "P1M",
                "PT"
            })
    void aLeaseThatIsNoDurationWithinBoundsIsRefused(String value) {
        String fault =
                ": '" + value + "' is not allowed; allowed: a duration in ISO-8601, PT0.001S to P365D, such as PT15M";
        assertThat(problems("exactlyonce.lease", value)).containsExactly("exactlyonce.lease" + fault);
        assertThat(problems("exactlyonce.source.github.lease", value))
                .containsExactly("exactlyonce.source.github.lease" + fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "P3651D", "P100000D", "PT9999999999999999S"})
    void aTtlThatIsNoDurationWithinBoundsIsRefused(String value) {
        String fault = ": '" + value
                + "' is not allowed; allowed: a duration in ISO-8601, PT0.001S to P3650D, or sub-minute, sub-hour, daily, such as PT24H";
        assertThat(problems("exactlyonce.ttl", value)).containsExactly("exactlyonce.ttl" + fault);
        assertThat(problems("exactlyonce.source.github.ttl", value))
                .containsExactly("exactlyonce.source.github.ttl" + fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.999S", "P366D", "1h", "forever"})
    void aMaxHoldThatIsNoDurationWithinBoundsIsRefused(String value) {
        assertThat(problems("exactlyonce.max-hold", value))
                .containsExactly("exactlyonce.max-hold: '" + value
                        + "' is not allowed; allowed: a duration in ISO-8601, PT1S to P365D, such as PT1H");
    }

    @Test
    void theBoundsThemselvesAreAllowed() {
        assertThat(problems("exactlyonce.max-hold", "PT1S")).isEmpty();
        assertThat(problems("exactlyonce.max-hold", "P365D")).isEmpty();
        assertThat(problems(
                        "exactlyonce.lease", "P365D",
                        "exactlyonce.ttl", "P3650D",
                        "exactlyonce.remember", "10000000",
                        "exactlyonce.max-body-size", "0",
                        "exactlyonce.source.github.lease", "PT0.001S",
                        "exactlyonce.source.github.max-body-size", "1073741824"))
                .isEmpty();
    }

    @Test
    void aLongValueIsCutInTheMessage() {
        assertThat(problems("exactlyonce.store", "x".repeat(1000)))
                .containsExactly("exactlyonce.store: '" + "x".repeat(80)
                        + "…' is not allowed; allowed: sqlite, redis, memory, jdbc");
    }

    @Test
    void aKeyExpressionThatIsNoneIsNamed() {
        assertThat(problems("exactlyonce.source.github.key", "header:A json:id"))
                .containsExactly(
                        "exactlyonce.source.github.key: 'json:id' is not a key expression; allowed: header:Name,"
                                + " query:name, path:name, form:name, form:name#/pointer, json:/pointer, body or signature, separated by '|'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GitHub", "1st", "my_source", "a.b", "-a", "a b", ","})
    void aSourceNameOutOfTheAlphabetIsRefused(String name) {
        assertThat(problems("exactlyonce.sources", "fine," + name + ",also"))
                .singleElement()
                .asString()
                .startsWith("exactlyonce.sources: '")
                .endsWith("is not allowed; allowed: names [a-z][a-z0-9-]{0,62}, separated by commas");
    }

    @Test
    void aSourceNameHasUpToSixtyThreeCharacters() {
        assertThat(problems("exactlyonce.sources", "a".repeat(63))).isEmpty();
        assertThat(problems("exactlyonce.sources", "a".repeat(64))).hasSize(1);
    }

    @Test
    void everyProblemIsReportedAtOnce() {
        assertThat(problems(
                        "exactlyonce.store", "h2",
                        "exactlyonce.lease", "x",
                        "exactlyonce.typo", "x",
                        "exactlyonce.remember", "x",
                        "exactlyonce.source.github.key", "x",
                        "exactlyonce.source.github.record-on", "x"))
                .extracting(it -> it.substring(0, it.indexOf(':')))
                .containsExactlyInAnyOrder(
                        "exactlyonce.store",
                        "exactlyonce.lease",
                        "exactlyonce.typo",
                        "exactlyonce.remember",
                        "exactlyonce.source.github.key",
                        "exactlyonce.source.github.record-on");
    }

    // --- names

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exactlyonce.laese",
                "exactlyonce.Lease.x",
                "exactlyonce.sqlite",
                "exactlyonce.",
                "exactlyonce.down-when-degraded"
            })
    void anUnknownNameIsRefused(String name) {
        assertThat(problems(name, "x"))
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .startsWith(name + ": unknown setting; the nearest known one is exactlyonce.");
    }

    @Test
    void anUnknownNameIsToldTheNearestKnownOne() {
        assertThat(problems("exactlyonce.laese", "PT1S"))
                .containsExactly("exactlyonce.laese: unknown setting; the nearest known one is exactlyonce.lease");
        assertThat(problems("exactlyonce.max-bodysize", "1"))
                .containsExactly(
                        "exactlyonce.max-bodysize: unknown setting; the nearest known one is exactlyonce.max-body-size");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exactlyonce.source.undeclared.lease",
                "exactlyonce.source.github.laese",
                "exactlyonce.source.lease"
            })
    void anUnknownNameOfASourceSaysWhichAreDeclared(String name) {
        assertThat(problems(name, "PT1M"))
                .containsExactly(
                        name
                                + ": unknown setting, or its source is not declared; declared: github (see exactlyonce.sources)");
    }

    @Test
    void namesOfOthersAreNotOurs() {
        assertThat(problems("exactly.once", "x", "exactlyonce", "x", "mp.config.profile", "x"))
                .isEmpty();
    }

    @Test
    void aNameAsTheEnvironmentFoldsItIsTolerated() {
        assertThat(read(
                                Map.of(
                                        "exactlyonce.source.my.src.missing.key", "body",
                                        "exactlyonce.on.outage", "reject",
                                        "exactlyonce.source.MY-SRC.Lease", "PT1M"),
                                "my-src")
                        .problems())
                .isEmpty();
    }

    @Test
    void theEnvironmentSetsWhatItsNamesStandFor() {
        Config config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new EnvConfigSource(
                        Map.of(
                                "EXACTLYONCE_ON_OUTAGE", "reject",
                                "EXACTLYONCE_SOURCE_MY_SRC_MISSING_KEY", "body",
                                "EXACTLYONCE_SOURCE_MY_SRC_LEASE", "PT1M"),
                        300))
                .build();
        SettingsReader.Reading reading = new SettingsReader(
                        config, "shop", StoreProviders.ofThisApplication(), InstantSource.system())
                .read(Set.of("my-src"));
        assertThat(reading.problems()).isEmpty();
        SourceSettings source = source(reading.settings(), "my-src");
        assertThat(source.policy().onOutage()).isEqualTo(OnOutage.REJECT);
        assertThat(source.policy().lease()).isEqualTo(Duration.ofMinutes(1));
        assertThat(source.bodyStandsIn()).isTrue();
    }

    // --- values that do not expand

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exactlyonce.lease",
                "exactlyonce.store",
                "exactlyonce.source.github.key",
                "exactlyonce.sqlite.path"
            })
    void aValueThatDoesNotExpandIsAProblemAndNotTheDefault(String key) {
        assertThat(problems(key, "before${no.such.name}"))
                .containsExactly(key
                        + ": the value holds a ${…} that does not expand; escape it as \\${…} or define what it names");
    }

    @Test
    void aSecretThatDoesNotExpandIsNeverShown() {
        assertThat(problems("exactlyonce.source.github.secret", "hunter2${no.such.name}"))
                .isNotEmpty()
                .allMatch(it -> it.startsWith("exactlyonce.source.github.secret: "))
                .noneMatch(it -> it.contains("hunter2") || it.contains("no.such.name"));
    }

    @Test
    void aValueThatExpandsIsRead() {
        Settings settings = settings(
                Map.of("our.lease", "PT7M", "exactlyonce.lease", "${our.lease}", "exactlyonce.ttl", "${none:PT9H}"),
                "s");
        assertThat(source(settings, "s").policy().lease()).isEqualTo(Duration.ofMinutes(7));
        assertThat(source(settings, "s").policy().ttl()).isEqualTo(Duration.ofHours(9));
    }

    // --- the store jdbc

    @Test
    void theStoreJdbcNeedsADataSourceThatTheServerHas() {
        assertThat(problems("exactlyonce.store", "jdbc"))
                .containsExactly(
                        "exactlyonce.jdbc.data-source: is not set, and exactlyonce.store=jdbc needs it; allowed: the"
                                + " JNDI name of a DataSource of PostgreSQL, such as jdbc/shop");
    }
}
