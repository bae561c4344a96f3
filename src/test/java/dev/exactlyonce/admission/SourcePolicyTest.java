package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.common.Digests;
import dev.exactlyonce.spi.Fingerprint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourcePolicyTest {
    private static final KeyResolver KEYS = (request, body) -> new KeyResolver.Resolution.KeyParts(List.of("1"));
    private static final Duration HOUR = Duration.ofHours(1);

    private static SourcePolicy policy(Duration lease, Duration ttl, int maxBodySize, FingerprintBy fingerprint) {
        return new SourcePolicy(
                "s",
                KEYS,
                DeliveryVerifier.NONE,
                lease,
                ttl,
                maxBodySize,
                fingerprint,
                RecordOn.SUCCESS,
                OnOutage.ADMIT,
                Duplicates.ACK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999999S", "PT8760H0.000000001S", "PT9223372036854775807S"})
    void aLeaseOutOfBoundsIsRefused(Duration lease) {
        assertThatThrownBy(() -> policy(lease, HOUR, 1, FingerprintBy.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease must be PT0.001S to PT8760H, was " + lease);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT87600H1S", "PT-9223372036854775807S"})
    void aTtlOutOfBoundsIsRefused(Duration ttl) {
        assertThatThrownBy(() -> policy(HOUR, ttl, 1, FingerprintBy.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ttl must be PT0.001S to PT87600H, was " + ttl);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, (1 << 30) + 1, Integer.MAX_VALUE})
    void aBodySizeOutOfBoundsIsRefused(int size) {
        assertThatThrownBy(() -> policy(HOUR, HOUR, size, FingerprintBy.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("max-body-size must be 0 to 1073741824, was " + size);
    }

    @Test
    void theBoundsThemselvesAreAllowed() {
        assertThat(policy(Duration.ofMillis(1), Duration.ofMillis(1), 0, FingerprintBy.NONE)
                        .maxBodySize())
                .isZero();
        assertThat(policy(SourcePolicy.MAX_LEASE, SourcePolicy.MAX_TTL, 1 << 30, FingerprintBy.NONE)
                        .lease())
                .isEqualTo(Duration.ofDays(365));
    }

    @Test
    void aFingerprintIsTakenOnlyWhereItIsAskedFor() {
        byte[] body = {1, 2};
        String digest = Digests.sha256Hex(body);
        assertThat(policy(HOUR, HOUR, 1, FingerprintBy.NONE).fingerprintOf(digest))
                .isEqualTo(Fingerprint.NONE);
        assertThat(policy(HOUR, HOUR, 1, FingerprintBy.BODY).fingerprintOf(digest))
                .isEqualTo(Fingerprint.ofBody(body));
        assertThat(policy(HOUR, HOUR, 1, FingerprintBy.SEPARATE).fingerprintOf(digest))
                .isEqualTo(Fingerprint.ofBody(body));
    }

    @Test
    void otherKeysChangeNothingElse() {
        KeyResolver others = (request, body) -> new KeyResolver.Resolution.KeyParts(List.of("2"));
        SourcePolicy before = policy(HOUR, HOUR, 1, FingerprintBy.BODY);
        assertThat(before.withKeys(others).keys()).isSameAs(others);
        assertThat(before.withKeys(others).withKeys(KEYS)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "SUCCESS, 200, true", "SUCCESS, 302, false", "SUCCESS, 404, false", "SUCCESS, 500, false",
        "CLIENT_ERROR, 200, true", "CLIENT_ERROR, 302, false", "CLIENT_ERROR, 404, true", "CLIENT_ERROR, 500, false",
        "ALWAYS, 200, true", "ALWAYS, 302, true", "ALWAYS, 404, true", "ALWAYS, 500, true"
    })
    void recordOnDecidesWhichOutcomesAreKept(RecordOn recordOn, int status, boolean kept) {
        assertThat(recordOn.keeps(Outcome.ofStatus(status))).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUCCESS", "CLIENT_ERROR", "ALWAYS"})
    void unfinishedWorkIsNeverKept(RecordOn recordOn) {
        assertThat(recordOn.keeps(Outcome.unfinished())).isFalse();
    }
}
