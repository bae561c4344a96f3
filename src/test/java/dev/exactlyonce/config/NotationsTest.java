package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No notation of a setting's name is silently ignored, in no source of values and under no locale. */
class NotationsTest {
    private static final String STATUS = "exactlyonce.source.gh.in-flight-status";

    private final Locale before = Locale.getDefault();

    @AfterEach
    void restore() {
        Locale.setDefault(before);
    }

    private static ConfigSource file(String... namesAndValues) {
        return source(100, namesAndValues);
    }

    private static ConfigSource source(int ordinal, String... namesAndValues) {
        return new PropertiesConfigSource(map(namesAndValues), "of ordinal " + ordinal, ordinal);
    }

    private static Map<String, String> map(String... namesAndValues) {
        Map<String, String> properties = new java.util.LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }

    /** The environment as two implementations of MicroProfile Config answer for it. */
    static List<Function<Map<String, String>, ConfigSource>> environments() {
        return List.of(variables -> new EnvConfigSource(variables, 300), ServerEnvironment::new);
    }

    /** A source that answers and does not list its names. */
    private record Unlisted(Map<String, String> properties) implements ConfigSource {
        @Override
        public Set<String> getPropertyNames() {
            return Set.of();
        }

        @Override
        public String getValue(String name) {
            return properties.get(name);
        }

        @Override
        public String getName() {
            return "unlisted";
        }
    }

    private static Config config(ConfigSource... sources) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(sources)
                .build();
    }

    private static SettingsReader.Reading read(Set<String> literals, ConfigSource... sources) {
        return new SettingsReader(config(sources), "shop", StoreProviders.ofThisApplication(), InstantSource.system())
                .read(literals);
    }

    private static List<String> problems(ConfigSource... sources) {
        return read(Set.of("gh"), sources).problems();
    }

    private static int status(ConfigSource... sources) {
        SettingsReader.Reading reading = read(Set.of("gh"), sources);
        assertThat(reading.problems()).isEmpty();
        return reading.settings().sources().find("gh").orElseThrow().inFlightStatus();
    }

    // --- every notation counts

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exactlyonce.source.gh.in-flight-status",
                "exactlyonce.source.gh.IN-FLIGHT-STATUS",
                "exactlyonce.source.gh.in_flight_status",
                "exactlyonce.source.gh.in.flight.status",
                "exactlyonce.source.GH.in-flight-status",
                "ExactlyOnce.source.gh.in-flight-status",
                "EXACTLYONCE.SOURCE.GH.IN.FLIGHT.STATUS",
                "EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS",
                "exactlyonce_source_gh_in_flight_status",
                "ExactlyOnce_Source_gh_In_Flight_Status",
                "exactlyonce-source-gh-in-flight-status"
            })
    void aSettingCountsInEveryNotationAndSourceUnderEveryLocale(String notation) {
        for (String language : List.of("en", "tr", "az", "lt", "ar", "th")) {
            Locale.setDefault(Locale.forLanguageTag(language));
            assertThat(status(file(notation, "425"))).isEqualTo(425);
            for (Function<Map<String, String>, ConfigSource> environment : environments()) {
                assertThat(status(environment.apply(Map.of(notation, "425")))).isEqualTo(425);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "tr"})
    void everySettingCountsInTheEnvironmentsNotationWhereverItIsWritten(String language) {
        Locale.setDefault(Locale.forLanguageTag(language));
        List<String> documented = new NameCheck(
                        Set.of("gh"),
                        Set.of("crm"),
                        StoreProviders.ofThisApplication().settingNames())
                .known().stream().toList();
        assertThat(documented).hasSizeGreaterThan(70);
        for (String name : documented) {
            String variable = name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
            for (ConfigSource source : List.of(
                    file(variable, "x"),
                    new ServerEnvironment(Map.of(variable, "x")),
                    new EnvConfigSource(Map.of(variable, "x"), 300),
                    new Unlisted(Map.of(variable, "x")))) {
                assertThat(new ConfigNames(config(source)).find(name))
                        .as("%s from %s", name, source.getName())
                        .map(ConfigNames.SourcedValue::raw)
                        .contains("x");
            }
        }
    }

    @Test
    void sourcesAndEndpointsAreDeclaredInEveryNotation() {
        SettingsReader.Reading reading = read(
                Set.of(),
                file("EXACTLYONCE_SOURCES", "one,two", "exactlyonce.Sender.Endpoints", "crm"),
                source(400, "exactlyonce.source.one.LEASE", "PT1M"));
        assertThat(reading.settings().sources().names()).containsExactly("one", "two");
        assertThat(reading.problems())
                .isNotEmpty()
                .allMatch(it -> it.startsWith("exactlyonce.sender.endpoint")); // crm lacks its URL and secret
        assertThat(new ConfigReader(new ConfigNames(config(file("EXACTLYONCE_SENDER_ENDPOINTS", "crm"))))
                        .isSet(SendingSettings.ENDPOINTS))
                .isTrue();
    }

    @Test
    void aPresetInAnotherNotationIsNotIgnored() {
        assertThat(problems(file("exactlyonce.source.gh.PRESET", "github")))
                .singleElement()
                .asString()
                .startsWith("exactlyonce.source.gh.secret: the preset github needs it");
    }

    // --- two notations

    @Test
    void equalValuesOfTwoNotationsAreNoFault() {
        assertThat(status(file(STATUS, "425", "exactlyonce.source.gh.in_flight_status", "425", "our.status", "425")))
                .isEqualTo(425);
        assertThat(status(file(
                        STATUS, "${our.status}", "EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "425", "our.status", "425")))
                .isEqualTo(425);
    }

    @Test
    void differentValuesOfTwoNotationsAreAFaultThatNamesBoth() {
        assertThat(problems(file(STATUS, "425", "exactlyonce.source.gh.In-Flight_Status", "503")))
                .containsExactly(STATUS + ": is set twice, with different values: as " + STATUS
                        + " and as exactlyonce.source.gh.In-Flight_Status; remove one of them");
        assertThat(problems(file("EXACTLYONCE_STORE", "memory", "exactlyonce.Store", "sqlite")))
                .containsExactly("exactlyonce.store: is set twice, with different values: as EXACTLYONCE_STORE and as"
                        + " exactlyonce.Store; remove one of them");
    }

    @Test
    void aHigherSourceDoesNotOverrideAnotherNotation() {
        assertThat(problems(file(STATUS, "425"), source(500, "EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "503")))
                .containsExactly(STATUS + ": is set twice, with different values: as " + STATUS
                        + " and as EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS; remove one of them");
        assertThat(status(
                        file("EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "425"),
                        source(500, "EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "503")))
                .isEqualTo(503);
    }

    @Test
    void anEmptyValueDiffersFromAnother() {
        assertThat(problems(file("exactlyonce.ttl", "", "exactlyonce.TTL", "P1D")))
                .hasSize(1);
    }

    @Test
    void aConflictOfSecretsShowsNeither() {
        assertThat(problems(file(
                        "exactlyonce.source.gh.preset", "github",
                        "exactlyonce.source.gh.secret", "hunter2-0123456789",
                        "exactlyonce.source.gh.SECRET", "swordfish-0123456789",
                        "exactlyonce.source.gh.secret_previous", "hunter2-${none}")))
                .hasSize(2)
                .anyMatch(it -> it.startsWith("exactlyonce.source.gh.secret: is set twice"))
                .anyMatch(it -> it.startsWith("exactlyonce.source.gh.secret-previous: the value holds a ${…}"))
                .noneMatch(it -> it.contains("hunter2") || it.contains("swordfish"));
    }

    @Test
    void aValueThatDoesNotExpandIsAFaultInEveryNotation() {
        for (ConfigSource source : List.of(
                file("EXACTLYONCE_LEASE", "${none}"),
                file("mp.config.profile", "dev", "%dev.exactlyonce.lease", "${none}"),
                new ServerEnvironment(Map.of("EXACTLYONCE_LEASE", "${none}")))) {
            assertThat(problems(source))
                    .containsExactly(
                            "exactlyonce.lease: the value holds a ${…} that does not expand; escape it as \\${…} or"
                                    + " define what it names");
        }
    }

    // --- the environment

    @ParameterizedTest
    @CsvSource({"en, 100, 503", "en, 400, 425", "tr, 100, 503", "tr, 400, 425"})
    void betweenTheEnvironmentAndTheNameThatItStandsForTheOrdinalDecides(String language, int ordinal, int status) {
        Locale.setDefault(Locale.forLanguageTag(language));
        for (Function<Map<String, String>, ConfigSource> environment : environments()) {
            ConfigSource variable = environment.apply(Map.of("EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "503"));
            assertThat(status(source(ordinal, STATUS, "425"), variable)).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "tr"})
    void theEnvironmentOverridesAnyNotationInAFileAndNoneAboveIt(String language) {
        Locale.setDefault(Locale.forLanguageTag(language));
        for (Function<Map<String, String>, ConfigSource> environment : environments()) {
            ConfigSource variable = environment.apply(Map.of("EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "503"));
            String notation = "exactlyonce.source.gh.in_flight_status";
            assertThat(status(file(notation, "425"), variable)).isEqualTo(503);
            assertThat(problems(source(400, notation, "425"), variable))
                    .containsExactly(STATUS + ": is set twice, with different values: as"
                            + " EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS and as " + notation + "; remove one of them");
        }
    }

    @Test
    void aVariableOfMixedCaseIsANotationOfItsOwn() {
        assertThat(problems(
                        file(STATUS, "425"),
                        new ServerEnvironment(Map.of("ExactlyOnce_Source_gh_In_Flight_Status", "503"))))
                .hasSize(1);
    }

    @Test
    void twoVariablesOfDifferentCaseAndValueAreAFault() {
        assertThat(problems(
                        new ServerEnvironment(Map.of("EXACTLYONCE_STORE", "memory", "exactlyonce_store", "sqlite"))))
                .singleElement()
                .asString()
                .startsWith("exactlyonce.store: is set twice")
                .contains("EXACTLYONCE_STORE", "exactlyonce_store");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "tr"})
    void aProfilesVariableCountsAndOverridesTheOneOfAllProfiles(String language) {
        Locale.setDefault(Locale.forLanguageTag(language));
        ConfigSource profile = file("mp.config.profile", "dev", "%prod.exactlyonce.store", "h2", STATUS, "409");
        assertThat(status(
                        profile,
                        new ServerEnvironment(Map.of(
                                "_DEV_EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "425",
                                "EXACTLYONCE_SOURCE_GH_IN_FLIGHT_STATUS", "503"))))
                .isEqualTo(425);
        assertThat(status(file("mp.config.profile", "dev", "%dev." + STATUS, "425", STATUS, "503")))
                .isEqualTo(425);
        assertThat(status(file("mp.config.profile", "dev", "%dev.exactlyonce.source.gh.IN-FLIGHT-STATUS", "425")))
                .isEqualTo(425);
        assertThat(problems(profile, new ServerEnvironment(Map.of("_DEV_EXACTLYONCE_SUORCES", "x"))))
                .containsExactly(
                        "_DEV_EXACTLYONCE_SUORCES: unknown setting; the nearest known one is exactlyonce.sources");
    }

    // --- names that mean nothing

    @ParameterizedTest
    @CsvSource({
        "EXACTLYONCE_SUORCES, exactlyonce.sources",
        "ExactlyOnce.Suorces, exactlyonce.sources",
        "exactlyonce_redis_hots, exactlyonce.redis.host",
        "EXACTLYONCE_SENDER_ENDPIONTS, exactlyonce.sender.endpoints"
    })
    void anUnknownNameIsRefusedInEveryNotationAndToldOnce(String name, String nearest) {
        String problem = name + ": unknown setting; the nearest known one is " + nearest;
        assertThat(problems(file(name, "x"))).containsExactly(problem);
        for (Function<Map<String, String>, ConfigSource> environment : environments()) {
            assertThat(problems(environment.apply(Map.of(name, "x")))).containsExactly(problem);
        }
    }

    @Test
    void anUnknownVariableOfASourceSaysWhichAreDeclared() {
        assertThat(problems(new ServerEnvironment(Map.of("EXACTLYONCE_SOURCE_GITHUB_PRESET", "github"))))
                .containsExactly("EXACTLYONCE_SOURCE_GITHUB_PRESET: unknown setting, or its source is not declared;"
                        + " declared: gh (see exactlyonce.sources)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uFEFFexactlyonce.store", "\u00EF\u00BB\u00BFexactlyonce.store", " exactlyonce.store"})
    void aNameWithSomethingBeforeItsFirstLetterIsRefused(String name) {
        assertThat(problems(file(name, "memory")))
                .containsExactly(
                        name + ": unknown setting: something stands before its first letter, such as a blank or the"
                                + " byte order mark of a file; remove it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"exactly-once.source.gh.preset", "EXACTLY_ONCE_SOURCE_GH_PRESET", "exactly.once.Source.gh.preset"
            })
    void aKnownNameThatBeginsWithTheProjectsIsRefused(String name) {
        for (ConfigSource source : List.of(file(name, "github"), new EnvConfigSource(Map.of(name, "github"), 300))) {
            assertThat(problems(source)).containsExactly(name + ": unknown setting; it begins with exactlyonce");
        }
    }

    @Test
    void namesOfOthersAreNotOurs() {
        assertThat(problems(file("EXACTLYONCE", "x", "exactly-once.shop", "x", "MY_EXACTLYONCE_STORE", "x")))
                .isEmpty();
    }

    // --- names that fold equally

    private static final String OF_A = "exactlyonce.source.a.event-key";
    private static final String OF_A_EVENT = "exactlyonce.source.a-event.key";

    @Test
    void namesWithTheirDotsInPlaceAreNotMixedUp() {
        SettingsReader.Reading reading = read(
                Set.of("a", "a-event"),
                file(OF_A.toUpperCase(Locale.ROOT), "header:X-Event", "exactlyonce.source.a.events", "push"),
                source(500, OF_A_EVENT, "header:X-Id"));
        assertThat(reading.problems()).isEmpty();
        ConfigNames names = new ConfigNames(config(file(OF_A, "1", OF_A_EVENT, "2")));
        assertThat(names.find(OF_A)).map(ConfigNames.SourcedValue::raw).contains("1");
        assertThat(names.find(OF_A_EVENT)).map(ConfigNames.SourcedValue::raw).contains("2");
    }

    @Test
    void aNameOfAnUndeclaredSourceIsNotTakenForAnotherOnes() {
        assertThat(read(Set.of("a-event"), file(OF_A, "header:X-Event")).problems())
                .singleElement()
                .asString()
                .startsWith(OF_A + ": unknown setting, or its source is not declared");
    }

    @ParameterizedTest
    @MethodSource("environments")
    void aNameThatMayStandForTwoSettingsIsAFault(Function<Map<String, String>, ConfigSource> environment) {
        String variable = "EXACTLYONCE_SOURCE_A_EVENT_KEY";
        assertThat(read(Set.of("a", "a-event"), environment.apply(Map.of(variable, "header:X")))
                        .problems())
                .contains(variable + ": may stand for " + OF_A_EVENT + " and for " + OF_A
                        + "; set the one that is meant by its name");
        assertThat(read(Set.of("a-event"), environment.apply(Map.of(variable, "header:X")))
                        .problems())
                .isEmpty();
    }
}
