package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.DeliveryVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be wrong with a secret, or beside one; no message tells a word of it. */
class SecretFaultsTest {
    private static final String SECRET = SignedDelivery.PREFIX + "secret";
    private static final String FILE = SignedDelivery.PREFIX + "secret-file";
    private static final String BODY = "{}";

    @TempDir
    Path folder;

    private static Map<String, String> settings(String... keysAndValues) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            settings.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return settings;
    }

    private static List<String> problems(Map<String, String> settings) {
        return SignedDelivery.read(settings, Instant.EPOCH).problems();
    }

    private static String problem(String... keysAndValues) {
        List<String> problems = problems(settings(keysAndValues));
        assertThat(problems).hasSize(1);
        return problems.get(0);
    }

    // --- the secret itself

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "standard-webhooks | v1,whsec_hunter2hunter2hunter2hunter2hunt | not part of the secret",
                "standard-webhooks | whsec_hunter2!hunter2 | not valid Base64",
                "standard-webhooks | whsec_aHVudGVyMg== | 7 bytes once it is decoded; at least 24",
                "standard-webhooks | whsec_ | empty after its prefix",
                "standard-webhooks | whsk_hunter2hunter2 | private key",
                "standard-webhooks | whpk_aHVudGVyMg== | must be 32 bytes, was 7",
                "standard-webhooks | whpk_hunter2! | not valid Base64",
                "svix | whsec_hunter2! | not valid Base64",
                "gitlab | aHVudGVyMg== | at least 24",
                "clerk | whsec_hunter2! | not valid Base64",
                "github | {xor}hunter2 | {xor}",
                "github | {aes}hunter2 | {aes}",
                "telegram | {xor}hunter2 | {xor}",
                "telegram | v1,hunter2 | before the comma",
                "adyen | hunter2 | not a hexadecimal",
                "adyen-header | abc | not a hexadecimal",
                "paypal | {xor}hunter2 | {xor}",
                "discord | hunter2 | not a hexadecimal",
                "discord | abcd | must be 32 bytes, was 2",
                "sendgrid | hunter2! | not valid Base64",
                "sendgrid | aHVudGVyMg== | none of EC"
            })
    void aSecretThatCannotBeOneIsAFaultOfItsSetting(String preset, String secret, String fault) {
        assertThat(problem("preset", preset, "secret", secret))
                .startsWith(SECRET + ": ")
                .contains(fault)
                .doesNotContain("hunter2")
                .doesNotContain("aHVudGVyMg");
        assertThat(problem("preset", preset, "secret", soundSecret(preset), "secret-previous", secret))
                .startsWith(SECRET + "-previous: ")
                .contains(fault)
                .doesNotContain("hunter2");
    }

    private static String soundSecret(String preset) {
        return PresetFilesTest.sound(preset).get("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"github", "standard-webhooks", "telegram", "adyen", "mailgun", "docusign", "paypal"})
    void anEmptySecretIsAFaultAndNotAnAbsentOne(String preset) {
        assertThat(problem("preset", preset, "secret", "")).isEqualTo(SECRET + ": the secret is empty");
        assertThat(problem("preset", preset, "secret", soundSecret(preset), "secret-previous", ""))
                .isEqualTo(SECRET + "-previous: the secret is empty");
    }

    @Test
    void aBlankAroundASecretIsAFault() {
        assertThat(problem("preset", "github", "secret", " hunter2"))
                .isEqualTo(SECRET + ": the secret begins or ends with a blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hunter2${no.such.name}", "${no.such.name}hunter2"})
    void aSecretThatDoesNotExpandIsAFault(String secret) {
        assertThat(problems(settings("preset", "github", "secret", secret)))
                .isNotEmpty()
                .allMatch(it -> it.startsWith(SECRET + ": ") && it.contains("escape it as"))
                .noneMatch(it -> it.contains("hunter2") || it.contains("no.such.name"));
    }

    @Test
    void aDollarAloneAndAnEscapedOneArePartsOfASecret() {
        assertThat(problems(settings("preset", "github", "secret", "hunter$2"))).isEmpty();
        assertThat(problems(settings("preset", "github", "secret", "hunter\\${2}")))
                .isEmpty();
        SignedDelivery delivery = SignedDelivery.of("github", "hunter\\${2}")
                .withBody(BODY)
                .withHeader("X-Hub-Signature-256", "sha256=" + Signer.hex("hunter${2}", BODY));
        assertThat(delivery.isValid()).isTrue();
    }

    @Test
    void aShortSecretOfStandardWebhooksIsTakenWhereItIsAllowed() {
        assertThat(problems(settings(
                        "preset", "standard-webhooks", "secret", "whsec_aHVudGVyMg==", "allow-short-secret", "true")))
                .isEmpty();
        assertThat(problem(
                        "preset", "standard-webhooks", "secret", "whsec_aHVudGVyMg==", "allow-short-secret", "false"))
                .contains("allow-short-secret=true");
    }

    // --- what is beside it

    @Test
    void anUnknownPresetIsToldWhichThereAre() {
        assertThat(problems(settings("preset", "githup", "secret", "hunter2")))
                .first()
                .asString()
                .startsWith(SignedDelivery.PREFIX + "preset: 'githup' is not allowed; allowed: stripe, paypal")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "secret-previous", "secret-file", "allow-short-secret"})
    void aSecretWithoutAPresetIsAFault(String key) {
        assertThat(problem(key, "hunter2"))
                .startsWith(SignedDelivery.PREFIX + key + ": without a preset nothing checks it")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @MethodSource("dev.exactlyonce.config.PresetFilesTest#withSecrets")
    void aPresetWithoutASecretIsToldWhereToFindIt(String preset) {
        Map<String, String> settings = PresetFilesTest.sound(preset);
        settings.remove("secret");
        assertThat(problems(settings))
                .singleElement()
                .asString()
                .startsWith(SECRET + ": the preset " + preset + " needs it, or secret-file: ");
    }

    @ParameterizedTest
    @CsvSource({
        "github, signature-header, X-Sig",
        "github, signed-content, {body}",
        "github, timestamp-header, X-Time",
        "linear, timestamp-json, /at",
        "github, tolerance, PT1M",
        "telegram, tolerance, PT1M",
        "adyen, tolerance, PT1M",
        "twilio, tolerance, PT1M",
        "github, public-url, https://example.com/",
        "telegram, public-url, https://example.com/",
        "mailgun, public-url, https://example.com/",
        "paypal, public-url, https://example.com/",
        "adyen, public-url, https://example.com/",
        "svix, public-url, https://example.com/",
        "github, allow-short-secret, true",
        "telegram, allow-short-secret, true"
    })
    void anOptionThatThePresetDoesNotHaveIsAFault(String preset, String key, String value) {
        Map<String, String> settings = PresetFilesTest.sound(preset);
        settings.put(key, value);
        assertThat(problems(settings)).singleElement().asString().startsWith(SignedDelivery.PREFIX + key + ": ");
    }

    @Test
    void theGenericPresetNeedsToKnowTheHeader() {
        assertThat(problem("preset", "hmac", "secret", "hunter2"))
                .startsWith(SignedDelivery.PREFIX + "signature-header: the preset hmac needs it");
    }

    @Test
    void theGenericPresetDoesNotOfferAPlainDigest() {
        assertThat(problem(
                        "preset",
                        "hmac",
                        "secret",
                        "hunter2",
                        "signature-header",
                        "X-Sig",
                        "signature-algorithm",
                        "plain-sha256"))
                .isEqualTo(SignedDelivery.PREFIX + "signature-algorithm: 'plain-sha256' is not allowed; allowed: "
                        + "sha1, sha256, sha512, ed25519, ecdsa-sha256");
    }

    @ParameterizedTest
    @CsvSource({"at, a JSON pointer", "/a~2, a JSON pointer"})
    void aTimestampPointerThatIsNoneIsAFault(String pointer, String allowed) {
        assertThat(problem(
                        "preset", "hmac", "secret", "hunter2", "signature-header", "X-Sig", "timestamp-json", pointer))
                .startsWith(SignedDelivery.PREFIX + "timestamp-json: ")
                .contains(allowed);
    }

    @Test
    void aTimestampInAnUnsignedBodyOrBesideAnotherIsAFault() {
        Map<String, String> settings =
                settings("preset", "hmac", "secret", "hunter2", "signature-header", "X-Sig", "timestamp-json", "/at");
        settings.put("signed-content", "{method}");
        assertThat(problems(settings))
                .containsExactly(SignedDelivery.PREFIX
                        + "signed-content: {body} is not in it: one signature would be good for every body");
        settings.put("signed-content", "{timestamp}{body}");
        settings.put("timestamp-header", "X-Time");
        assertThat(problems(settings))
                .containsExactly(SignedDelivery.PREFIX
                        + "timestamp-json: a header for the timestamp is set, too; set one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"twilio", "square", "hubspot-v2", "hubspot-v3"})
    void aSignedAddressMustBeKnown(String preset) {
        String key = SignedDelivery.PREFIX + "public-url";
        Map<String, String> settings = PresetFilesTest.sound(preset);
        settings.remove("public-url");
        assertThat(problems(settings))
                .singleElement()
                .asString()
                .startsWith(key + ": ")
                .contains(preset);
        settings.put("public-url", "");
        assertThat(problems(settings))
                .singleElement()
                .asString()
                .startsWith(key + ": ")
                .contains(preset);
        for (String malformed : List.of("/hooks", "ftp://example.com", "https://", "https://a/?b=c", "https://a b")) {
            settings.put("public-url", malformed);
            assertThat(problems(settings))
                    .singleElement()
                    .asString()
                    .startsWith(key + ": the value is not allowed; allowed: ")
                    .doesNotContain(malformed);
        }
    }

    @Test
    void theGenericPresetNeedsTheAddressWhereItIsSigned() {
        assertThat(problem(
                        "preset",
                        "hmac",
                        "secret",
                        "hunter2",
                        "signature-header",
                        "X-Sig",
                        "signed-content",
                        "{url}{body}"))
                .startsWith(SignedDelivery.PREFIX + "public-url: ");
    }

    // --- the file

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("secrets"), Arrays.asList(lines));
    }

    private static SignedDelivery signedWith(String secret, Path file) {
        return new SignedDelivery(
                settings("preset", "github", "secret-file", file.toString()),
                "",
                Map.of("X-Hub-Signature-256", "sha256=" + Signer.hex(secret, BODY)),
                BODY,
                Instant.EPOCH);
    }

    @Test
    void aFileThatIsNotThereOrHoldsNothingIsAFault() throws IOException {
        assertThat(problem(
                        "preset",
                        "github",
                        "secret-file",
                        folder.resolve("hunter2").toString()))
                .isEqualTo(FILE + ": the file does not exist or cannot be read");
        assertThat(problem("preset", "github", "secret-file", file("", " ").toString()))
                .isEqualTo(FILE + ": the file holds no secret");
        assertThat(problem("preset", "github", "secret-file", "hunter\0"))
                .isEqualTo(FILE + ": is not a valid path on this system; allowed: a file with one secret a line");
        assertThat(problem("preset", "github", "secret-file", "")).startsWith(SECRET + ": the preset github needs it");
        Files.write(folder.resolve("secrets"), new byte[] {(byte) 0xC3});
        assertThat(problem(
                        "preset",
                        "github",
                        "secret-file",
                        folder.resolve("secrets").toString()))
                .isEqualTo(FILE + ": the file is not UTF-8");
    }

    @ParameterizedTest
    @CsvSource({
        "github, {xor}hunter2, {xor}",
        "svix, whsec_hunter2!, not valid Base64",
        "adyen, hunter2, not a hexadecimal"
    })
    void aBadLineOfAFileIsAFault(String preset, String line, String fault) throws IOException {
        String file = file(soundSecret(preset), line).toString();
        assertThat(problem("preset", preset, "secret-file", file))
                .startsWith(FILE + ": ")
                .contains(fault)
                .doesNotContain("hunter2");
    }

    @Test
    void everyLineOfAFileCounts() throws IOException {
        Path file = file("first", "", "second");
        assertThat(signedWith("first", file).isValid()).isTrue();
        assertThat(signedWith("second", file).isValid()).isTrue();
        assertThat(signedWith("third", file).isValid()).isFalse();
        assertThat(signedWith("third", file).with("secret", "third").isValid()).isTrue();
    }

    @Test
    void aFileIsReadAgainWhenItChangesAndKeptWhenItBecomesBad() throws IOException {
        Path file = file("first");
        DeliveryVerifier verifier = signedWith("first", file).verifier();
        assertThat(signedWith("first", file).isValid(verifier)).isTrue();

        changed(file("second"), 1);
        assertThat(signedWith("first", file).isValid(verifier)).isFalse();
        assertThat(signedWith("second", file).isValid(verifier)).isTrue();

        changed(file("{xor}third"), 2);
        assertThat(signedWith("second", file).isValid(verifier)).isTrue();
        assertThat(signedWith("{xor}third", file).isValid(verifier)).isFalse();

        changed(file(""), 3);
        assertThat(signedWith("second", file).isValid(verifier)).isTrue();

        Files.delete(file);
        assertThat(signedWith("second", file).isValid(verifier)).isTrue();

        changed(file("fourth"), 4);
        assertThat(signedWith("second", file).isValid(verifier)).isFalse();
        assertThat(signedWith("fourth", file).isValid(verifier)).isTrue();
    }

    /** Two writings within one tick of the file system's clock would look the same. */
    private static void changed(Path file, long seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH.plusSeconds(seconds)));
    }

    @Test
    void aTokensAudienceAndSenderMustBeNamedAndThereIsNoSecret() {
        assertThat(problems(settings("preset", "google-pubsub")))
                .containsExactly(
                        SignedDelivery.PREFIX + "audience: the preset google-pubsub needs it",
                        SignedDelivery.PREFIX + "email: the preset google-pubsub needs it");
        Map<String, String> settings = PresetFilesTest.sound("google-pubsub");
        settings.put("secret", "hunter2");
        assertThat(problems(settings))
                .singleElement()
                .asString()
                .startsWith(SECRET + ": the preset google-pubsub shares none")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"audience", "email"})
    void whatATokenHasIsRefusedBesideOtherPresetsAndWithoutOne(String key) {
        Map<String, String> settings = PresetFilesTest.sound("github");
        settings.put(key, "x");
        assertThat(problems(settings))
                .containsExactly(SignedDelivery.PREFIX + key + ": counts with preset=google-pubsub alone");
        assertThat(problems(settings(key, "x")))
                .containsExactly(SignedDelivery.PREFIX + key + ": counts with preset=google-pubsub alone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-----BEGIN PUBLIC KEY-----", "whpk_hunter2", "\ufeffhunter2", "hun\u0000ter2"})
    void whatManyKnowOrNobodyTypesIsNoSharedSecret(String secret) {
        assertThat(problem("preset", "github", "secret", secret))
                .startsWith(SECRET + ": ")
                .doesNotContain("hunter2");
        assertThat(problem("preset", "hmac", "signature-header", "X-Sig", "secret-encoding", "whpk", "secret", "QUJD"))
                .startsWith(SECRET + ": this is a public key");
    }

    @Test
    void aFileOfSecretsHasNoComments(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("secrets"), "# comment\nhunter2\n");
        assertThat(problem("preset", "github", "secret-file", file.toString()))
                .startsWith(SignedDelivery.PREFIX + "secret-file: a line begins with '#'")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "push issues", "issues.*", "push|issues", ".push", "push."})
    void aNameThatMatchesNoEventIsAFault(String events) {
        Map<String, String> settings = PresetFilesTest.sound("github");
        settings.put("events", events);
        assertThat(problems(settings)).singleElement().asString().startsWith(SignedDelivery.PREFIX + "events: ");
    }

    @Test
    void whatHasNoEffectOrUndoesTheKeyIsAFault() {
        Map<String, String> settings = PresetFilesTest.sound("github");
        settings.put("event-key", "header:X");
        assertThat(problems(settings)).containsExactly(SignedDelivery.PREFIX + "event-key: counts beside events alone");
        Map<String, String> mailgun = PresetFilesTest.sound("mailgun");
        mailgun.put("key", "json:/event-data/id");
        assertThat(problems(mailgun)).singleElement().asString().startsWith(SignedDelivery.PREFIX + "key: ");
        Map<String, String> changing = PresetFilesTest.sound("line");
        changing.put("dedup-body", "true");
        assertThat(problems(changing)).singleElement().asString().startsWith(SignedDelivery.PREFIX + "dedup-body: ");
    }

    @ParameterizedTest
    @CsvSource({
        "id-header, X-Id, {id} is not in the signed content",
        "timestamp-format, millis, no setting says where the timestamp of a delivery is",
        "replay.max-size, 10, counts with duplicate=replay alone"
    })
    void aChoiceWithoutEffectIsAFault(String key, String value, String fault) {
        Map<String, String> settings = PresetFilesTest.sound("hmac");
        settings.put(key, value);
        assertThat(problems(settings)).containsExactly(SignedDelivery.PREFIX + key + ": " + fault);
    }
}
