package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.source.Preset;
import dev.exactlyonce.source.SignedRow;
import dev.exactlyonce.source.Vectors;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every published vector through a preset as a user names it, and what must not pass beside each. */
class PresetVectorsTest {
    private static final Pattern TIMESTAMP = Pattern.compile("(?<![0-9A-Za-z])1[0-9]{9}([0-9]{3})?(?![0-9])");

    /** Their secrets are public keys: another one is none, or is tried elsewhere. */
    private static final Set<String> BY_PUBLIC_KEY = Set.of("sendgrid");

    /** What the fields of a body are signed with may be followed by anything that JSON does not count. */
    private static final Set<String> IN_THE_BODY = Set.of("adyen", "mailgun");

    private static SignedDelivery delivery(SignedRow row) {
        return new SignedDelivery(row.settings(), row.rawQuery(), row.headers(), row.body(), signedAt(row));
    }

    private static Instant signedAt(SignedRow row) {
        return timestamp(row)
                .map(it -> it.length() == 10
                        ? Instant.ofEpochSecond(Long.parseLong(it))
                        : Instant.ofEpochMilli(Long.parseLong(it)))
                .findFirst()
                .orElse(Instant.EPOCH);
    }

    private static Stream<String> timestamp(SignedRow row) {
        Stream<String> places =
                row.preset().equals("mailgun") ? Stream.of(row.body()) : row.headers().values().stream();
        return tolerance(row).isZero()
                ? Stream.empty()
                : places.flatMap(it -> {
                    Matcher found = TIMESTAMP.matcher(it);
                    return found.find() ? Stream.of(found.group()) : Stream.empty();
                });
    }

    static boolean hasTolerance(SignedRow row) {
        return !tolerance(row).isZero();
    }

    private static Duration tolerance(SignedRow row) {
        return Preset.find(row.preset())
                .orElseThrow()
                .duration(SettingScope.key(SignatureSettings.TOLERANCE))
                .orElse(Duration.ZERO);
    }

    private static Stream<Named<SignedRow>> named(boolean valid) {
        return SignedRow.all().stream()
                .filter(it -> it.isValid() == valid)
                .map(it -> Named.of(it.preset() + " " + it.name(), it));
    }

    private static Stream<Named<SignedRow>> valid() {
        return named(true);
    }

    private static Stream<Named<SignedRow>> invalid() {
        return named(false);
    }

    private static Stream<Named<SignedRow>> stamped() {
        return valid().filter(it -> hasTolerance(it.getPayload()));
    }

    @Test
    void everyVectorIsOfAPreset() {
        List<SignedRow> rows = SignedRow.all();
        assertThat(rows).hasSameSizeAs(Vectors.all()).hasSizeGreaterThan(25);
        assertThat(Preset.NAMES)
                .containsAll(new HashSet<>(rows.stream().map(SignedRow::preset).toList()));
        assertThat(stamped()).hasSizeGreaterThan(8);
        assertThat(stamped()).allMatch(it -> signedAt(it.getPayload()).isAfter(Instant.EPOCH));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void whatTheProviderSignedIsValid(SignedRow row) {
        assertThat(delivery(row).isValid()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void whatTheProviderDidNotSignIsRefused(SignedRow row) {
        assertThat(delivery(row).isValid()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aFlippedBitInTheBodyIsRefused(SignedRow row) {
        assertThat(delivery(row).withBody(row.tamperedBody()).isValid()).isFalse();
        if (!IN_THE_BODY.contains(row.preset())) {
            assertThat(delivery(row).withBody(row.body() + " ").isValid()).isFalse();
            assertThat(delivery(row).withBody(" " + row.body()).isValid()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aChangedCharacterOfTheSignatureIsRefused(SignedRow row) {
        SignedDelivery delivery = delivery(row);
        if (IN_THE_BODY.contains(row.preset())) {
            assertThat(delivery.withBody(row.body().replace(row.signature(), otherAt(row.signature(), 5)))
                            .isValid())
                    .isFalse();
            assertThat(delivery.withBody(row.body().replace(row.signature(), ""))
                            .isValid())
                    .isFalse();
            return;
        }
        int changed = 0;
        for (Map.Entry<String, String> header : row.headers().entrySet()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.contains("signature") && !name.contains("timestamp") && !name.contains("version")) {
                String value = header.getValue();
                assertThat(delivery.withHeader(name, otherAt(value, value.length() - 5))
                                .isValid())
                        .isFalse();
                assertThat(delivery.withHeader(name, "").isValid()).isFalse();
                changed++;
            }
        }
        assertThat(changed).isOne();
    }

    private static String otherAt(String text, int at) {
        return text.substring(0, at) + (text.charAt(at) == 'a' ? 'b' : 'a') + text.substring(at + 1);
    }

    @ParameterizedTest
    @MethodSource("stamped")
    void aChangedTimestampIsRefused(SignedRow row) {
        String then = timestamp(row).findFirst().orElseThrow();
        String later = Long.toString(Long.parseLong(then) + 1);
        for (String other : List.of(later, "+" + then, "0" + then, then + "x", "")) {
            SignedDelivery delivery = delivery(row);
            for (Map.Entry<String, String> header : row.headers().entrySet()) {
                delivery =
                        delivery.withHeader(header.getKey(), header.getValue().replace(then, other));
            }
            if (row.preset().equals("mailgun")) {
                delivery = delivery.withBody(row.body().replace(then, other));
            }
            assertThat(delivery.isValid()).as(other).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("stamped")
    void aTimestampIsTakenUpToThePresetsToleranceInBothDirections(SignedRow row) {
        SignedDelivery delivery = delivery(row);
        Duration tolerance = tolerance(row);
        assertThat(delivery.at(delivery.now().plus(tolerance)).isValid()).isTrue();
        assertThat(delivery.at(delivery.now().plus(tolerance).plusSeconds(1)).isValid())
                .isFalse();
        assertThat(delivery.at(delivery.now().minus(tolerance)).isValid()).isTrue();
        assertThat(delivery.at(delivery.now().minus(tolerance).minusSeconds(1)).isValid())
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("valid")
    void anotherSecretIsRefusedAndTheSecondOneCounts(SignedRow row) {
        String right = row.secret();
        String wrong = otherSecret(row);
        if (!wrong.equals(right)) {
            assertThat(delivery(row).with("secret", wrong).isValid()).isFalse();
        }
        assertThat(delivery(row)
                        .with("secret", wrong)
                        .with("secret-previous", right)
                        .isValid())
                .isTrue();
    }

    private static String otherSecret(SignedRow row) {
        String secret = row.secret();
        if (BY_PUBLIC_KEY.contains(row.preset()) || secret.startsWith("whpk_")) {
            return secret;
        }
        return secret.length() < 10
                ? secret + "x"
                : secret.substring(0, secret.length() - 4) + (secret.endsWith("Abcd") ? "Dcba" : "Abcd");
    }
}
