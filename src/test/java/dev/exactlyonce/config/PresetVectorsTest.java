package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SentRequest;
import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.Vectors;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published vectors through the presets as a user names them, and what must not pass beside each. */
class PresetVectorsTest {
    private static final String SECRET = "exactlyonce.source.it.secret";

    /** A published request, at the time when it was signed. */
    private record Signed(
            String preset, Map<String, String> settings, Map<String, String> headers, String body, Instant now) {
        DeliveryVerifier verifier() {
            Map<String, String> properties = new HashMap<>(settings);
            properties.put("exactlyonce.source.it.preset", preset);
            SettingsReader.Reading reading = new SettingsReader(
                            new SmallRyeConfigBuilder()
                                    .addDefaultInterceptors()
                                    .withSources(new PropertiesConfigSource(properties, "test", 100))
                                    .build(),
                            "shop",
                            RedisClientCheck.OF_THE_STORE,
                            () -> now)
                    .read(Set.of("it"));
            assertThat(reading.problems()).isEmpty();
            return reading.settings()
                    .sources()
                    .find("it")
                    .orElseThrow()
                    .policy()
                    .verifier();
        }

        boolean isValid() {
            SentRequest request = new SentRequest();
            headers.forEach(request::withHeader);
            return verifier()
                    .verify(request, body.getBytes(StandardCharsets.UTF_8))
                    .isValid();
        }

        Signed with(String setting, String value) {
            Map<String, String> more = new HashMap<>(settings);
            more.put(setting, value);
            return new Signed(preset, more, headers, body, now);
        }

        Signed withHeader(String name, String value) {
            Map<String, String> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            others.putAll(headers);
            others.put(name, value);
            return new Signed(preset, settings, others, body, now);
        }

        Signed withBody(String other) {
            return new Signed(preset, settings, headers, other, now);
        }

        Signed at(Instant time) {
            return new Signed(preset, settings, headers, body, time);
        }
    }

    private static boolean isOfAPreset(JsonObject vector) {
        return Preset.NAMES.contains(vector.getString("provider"));
    }

    private static Signed signed(JsonObject vector) {
        Map<String, String> settings = new HashMap<>();
        settings.put(SECRET, vector.getString("public", vector.getString("secret", "")));
        if (vector.getString("provider").equals("standard-webhooks") && !vector.containsKey("public")) {
            settings.put("exactlyonce.source.it.allow-short-secret", "false");
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        vector.getJsonObject("headers").forEach((name, value) -> headers.put(name, text(value)));
        return new Signed(vector.getString("provider"), settings, headers, vector.getString("body"), signedAt(headers));
    }

    private static String text(jakarta.json.JsonValue value) {
        return ((jakarta.json.JsonString) value).getString();
    }

    private static Instant signedAt(Map<String, String> headers) {
        return Stream.concat(
                        headers.values().stream(),
                        headers.values().stream().flatMap(it -> Stream.of(it.split("[,;=]"))))
                .filter(it -> it.matches("1[0-9]{9}"))
                .map(it -> Instant.ofEpochSecond(Long.parseLong(it)))
                .findFirst()
                .orElse(Instant.EPOCH);
    }

    private static Stream<Named<Signed>> valid() {
        return named(true);
    }

    private static Stream<Named<Signed>> invalid() {
        return named(false);
    }

    private static Stream<Named<Signed>> named(boolean valid) {
        return Vectors.all().stream()
                .filter(PresetVectorsTest::isOfAPreset)
                .filter(it -> it.getBoolean("valid") == valid)
                .map(it -> Named.of(it.getString("provider") + " " + it.getString("name"), signed(it)));
    }

    private static Stream<Named<Signed>> stamped() {
        return valid().filter(it -> !it.getPayload().now().equals(Instant.EPOCH));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void whatTheProviderSignedIsAccepted(Signed vector) {
        assertThat(vector.isValid()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void whatTheProviderDidNotSignIsRefused(Signed vector) {
        assertThat(vector.isValid()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aFlippedBitInTheBodyIsRefused(Signed vector) {
        char first = (char) (vector.body().charAt(0) ^ 1);
        assertThat(vector.withBody(first + vector.body().substring(1)).isValid())
                .isFalse();
        assertThat(vector.withBody(vector.body() + " ").isValid()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aChangedCharacterOfTheSignatureIsRefused(Signed vector) {
        vector.headers().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.contains("signature") && !lower.contains("timestamp")) {
                int at = value.length() - 5;
                char other = value.charAt(at) == 'a' ? 'b' : 'a';
                Signed changed = vector.withHeader(name, value.substring(0, at) + other + value.substring(at + 1));
                assertThat(changed.isValid()).isFalse();
                assertThat(vector.withHeader(name, "").isValid()).isFalse();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("stamped")
    void aChangedTimestampIsRefused(Signed vector) {
        String then = Long.toString(vector.now().getEpochSecond());
        String later = Long.toString(vector.now().getEpochSecond() + 1);
        vector.headers().forEach((name, value) -> {
            if (value.contains(then)) {
                assertThat(vector.withHeader(name, value.replace(then, later)).isValid())
                        .isFalse();
                assertThat(vector.withHeader(name, value.replace(then, "+" + then))
                                .isValid())
                        .isFalse();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("stamped")
    void aTimestampIsTakenUpToItsToleranceInBothDirections(Signed vector) {
        assertThat(vector.at(vector.now().plusSeconds(300)).isValid()).isTrue();
        assertThat(vector.at(vector.now().plusMillis(301_000)).isValid()).isFalse();
        assertThat(vector.at(vector.now().minusSeconds(300)).isValid()).isTrue();
        assertThat(vector.at(vector.now().minusSeconds(301)).isValid()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("valid")
    void anotherSecretIsRefusedAndThePreviousOneCounts(Signed vector) {
        String right = vector.settings().get(SECRET);
        String wrong = right.startsWith("whpk_") || right.length() < 10
                ? right
                : right.substring(0, right.length() - 4) + (right.endsWith("Abcd") ? "Efgh" : "Abcd");
        if (!wrong.equals(right)) {
            assertThat(vector.with(SECRET, wrong).isValid()).isFalse();
        }
        assertThat(vector.with(SECRET, wrong)
                        .with("exactlyonce.source.it.secret-previous", right)
                        .isValid())
                .isTrue();
    }
}
