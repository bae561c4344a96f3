package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.source.Preset;
import dev.exactlyonce.spi.SettingDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written in the presets' files. */
class PresetFilesTest {
    private static final Path FOLDER = Path.of("src/main/resources/dev/exactlyonce/source/preset");
    private static final Duration DEFAULT_LEASE = Duration.ofMinutes(15);

    /** What belongs to the deployment, and never to a sender. */
    private static final Set<SettingDefinition<?>> NEVER = Set.of(
            PerSourceSettings.PRESET,
            SignatureSettings.SECRET,
            SignatureSettings.SECRET_PREVIOUS,
            SignatureSettings.SECRET_FILE,
            SignatureSettings.ALLOW_SHORT_SECRET,
            SignatureSettings.PUBLIC_URL,
            PerSourceSettings.ON_OUTAGE);

    private static Stream<String> names() {
        return Preset.NAMES.stream();
    }

    /** Those that share something with their sender. */
    static Stream<String> withSecrets() {
        return names().filter(it ->
                !it.equals("google-pubsub") && !preset(it).line(Preset.SCHEME).equals(Optional.of("unsigned")));
    }

    private static Preset preset(String name) {
        return Preset.find(name).orElseThrow();
    }

    /** A secret that the preset takes. */
    private static String secret(Preset preset) {
        return switch (preset.name()) {
            case "aws-sns" -> "arn:aws:sns:eu-west-1:123456789012:orders";
            case "telnyx" -> Signer.base64(HexFormat.of().parseHex(Signer.publicHex(Signer.ed25519())));
            case "discord" -> Signer.publicHex(Signer.ed25519());
            case "sendgrid" ->
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
            default ->
                switch (preset.line(Preset.SCHEME).orElse("header")) {
                    case "standard-webhooks" -> "whsec_" + "A".repeat(32);
                    case "basic" -> "user:password";
                    default -> "0123456789abcdef0123456789abcdef";
                };
        };
    }

    static Map<String, String> sound(String name) {
        Preset preset = preset(name);
        if (name.equals("google-pubsub")) {
            return new HashMap<>(Map.of("preset", name, "audience", "https://example.com", "email", "a@example.com"));
        }
        if (preset.line(Preset.SCHEME).equals(Optional.of("unsigned"))) {
            return new HashMap<>(Map.of("preset", name));
        }
        Map<String, String> settings = new HashMap<>(Map.of("preset", name, "secret", secret(preset)));
        if (preset.line("signed-content").orElse("").contains("{url}")
                || preset.line(Preset.SCHEME).equals(Optional.of("twilio"))) {
            settings.put("public-url", "https://example.com/hooks");
        }
        if (name.equals("meta") || name.equals("whatsapp")) {
            settings.put("verify-token", "typed in");
        }
        if (preset.isGeneric()) {
            settings.put("signature-header", "X-Signature");
        }
        return settings;
    }

    @Test
    void everyFileIsAPresetAndEveryPresetAFile() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(it -> it.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Preset.NAMES.stream().map(it -> it + ".properties").toList());
        }
        assertThat(Preset.NAMES).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPresetHasKnownLinesAlone(String name) {
        Set<String> known = PerSourceSettings.ALL.stream()
                .filter(it -> !NEVER.contains(it))
                .map(SettingScope::key)
                .collect(Collectors.toSet());
        known.addAll(Preset.OWN);
        assertThat(known).containsAll(preset(name).lines().keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPresetWritesNoLineTwiceAndNoBlanksAtTheirEnds(String name) throws IOException {
        List<String> lines = Files.readAllLines(FOLDER.resolve(name + ".properties")).stream()
                .filter(it -> !it.startsWith("#"))
                .toList();
        assertThat(lines).allMatch(it -> it.equals(it.strip()) && it.matches("[a-z-]+=.+"));
        assertThat(lines.stream().map(it -> it.substring(0, it.indexOf('='))).toList())
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPresetHasWhatIsRequired(String name) {
        Preset preset = preset(name);
        assertThat(preset.lines()).containsKeys(Preset.TITLE, Preset.SECRET_IS);
        if (!preset.isGeneric()) {
            assertThat(preset.lines()).containsKeys("key", "ttl", Preset.KEY_IS);
        }
        preset.line(Preset.DOCS)
                .ifPresent(it -> assertThat(it).startsWith("https://").doesNotContain(" "));
        preset.line(Preset.BODY_CHANGES).ifPresent(it -> assertThat(it).isEqualTo("true"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPresetsValuesAreValidAndNothingIsToBeWarnedOfButItsNote(String name) {
        SettingsReader.Reading reading = SignedDelivery.read(sound(name), Instant.EPOCH);
        assertThat(reading.problems()).isEmpty();
        assertThat(reading.settings().warnings())
                .isEqualTo(preset(name)
                        .line(Preset.NOTE)
                        .map(it -> List.of("exactlyonce.source.it.preset: " + it))
                        .orElse(List.of()));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aLeaseEndsBeforeTheLastRetryAndARecordOutlivesTheRetriesTwice(String name) {
        Preset preset = preset(name);
        Duration lease = preset.duration("lease").orElse(DEFAULT_LEASE);
        preset.duration(Preset.LAST_RETRY).ifPresent(last -> assertThat(lease).isLessThan(last));
        preset.duration(Preset.RETRY_WINDOW).ifPresent(window -> {
            assertThat(preset.duration("ttl").orElseThrow()).isGreaterThanOrEqualTo(window.multipliedBy(2));
            preset.duration(Preset.LAST_RETRY)
                    .ifPresent(last -> assertThat(last).isLessThanOrEqualTo(window));
        });
    }

    @ParameterizedTest
    @MethodSource("names")
    void aRecordOutlivesTheTimeInWhichACapturedDeliveryCanComeAgain(String name) {
        Preset preset = preset(name);
        preset.duration("tolerance")
                .ifPresent(tolerance -> assertThat(preset.duration("ttl").orElseThrow())
                        .isGreaterThanOrEqualTo(tolerance.multipliedBy(2)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "hubspot-v1", "hubspot-v2", "hubspot-v3", "intercom", "docusign"})
    void aFingerprintOfABodyThatChangesIsAFault(String name) {
        Map<String, String> settings = sound(name);
        settings.put("fingerprint", "body");
        assertThat(SignedDelivery.read(settings, Instant.EPOCH).problems())
                .singleElement()
                .asString()
                .startsWith("exactlyonce.source.it.fingerprint: ")
                .contains(preset(name).title());
        settings.put("fingerprint", "none");
        assertThat(SignedDelivery.read(settings, Instant.EPOCH).problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gitlab-token", "telegram", "dropbox", "paypal"})
    void whoGetsNoRealSignatureOrNoIdIsToldSo(String name) {
        assertThat(SignedDelivery.read(sound(name), Instant.EPOCH).settings().warnings())
                .containsExactly("exactlyonce.source.it.preset: "
                        + preset(name).line(Preset.NOTE).orElseThrow());
    }

    @Test
    void aBodyThatDoesNotChangeMayHaveAFingerprint() {
        Map<String, String> settings = sound("github");
        settings.put("fingerprint", "body");
        assertThat(SignedDelivery.read(settings, Instant.EPOCH).problems()).isEmpty();
    }
}
