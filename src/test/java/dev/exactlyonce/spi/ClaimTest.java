package dev.exactlyonce.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimTest {
    private static final DeliveryKey KEY = DeliveryKey.of("s", "e", List.of("1"));

    @Test
    void twoClaimsOnOneKeyHaveDifferentOwners() {
        Claim one = Claim.fresh(KEY, Fingerprint.NONE, Duration.ofSeconds(1));
        Claim two = Claim.fresh(KEY, Fingerprint.NONE, Duration.ofSeconds(1));
        assertThat(one.owner()).matches("[0-9a-f]{32}").isNotEqualTo(two.owner());
        assertThat(one.key()).isEqualTo(two.key());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void aClaimWithoutALeaseIsRefused(Duration lease) {
        assertThatThrownBy(() -> Claim.fresh(KEY, Fingerprint.NONE, lease))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease must be > 0, was " + lease);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a|b"})
    void anOwnerThatWouldBreakTheStoredValueIsRefused(String owner) {
        assertThatThrownBy(() -> new Claim(KEY, owner, Fingerprint.NONE, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
