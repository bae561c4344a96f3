package dev.exactlyonce.config;

import dev.exactlyonce.signature.Freshness;
import dev.exactlyonce.spi.SettingDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whether the records of one source outlive what may be sent again: a delivery runs again once its record has ended. */
final class TtlAdvice {
    private static final List<SettingDefinition<String>> TIMES = List.of(
            SignatureSettings.TIMESTAMP_HEADER, SignatureSettings.TIMESTAMP_PREFIX, SignatureSettings.TIMESTAMP_JSON);

    private final ConfigReader values;
    private final boolean isStrict;

    /** @param isStrict whether a TTL that is too short stops the deployment */
    TtlAdvice(ConfigReader values, boolean isStrict) {
        this.values = values;
        this.isStrict = isStrict;
    }

    void give(Duration ttl) {
        values.findAllowed(PerSourceSettings.RETRY_WINDOW)
                .filter(it -> isTooShort(ttl, it))
                .ifPresent(window -> tell(ttl + " is less than twice the " + window
                        + " within which the sender may repeat a delivery: a late copy may run again"));
        tolerance()
                .filter(it -> isTooShort(ttl, it))
                .ifPresent(tolerance -> tell(ttl + " is less than twice the tolerance of " + tolerance
                        + ": a captured delivery may run again, since its timestamp is taken for longer than its record is"
                        + " kept"));
    }

    private static boolean isTooShort(Duration ttl, Duration window) {
        return ttl.compareTo(window.multipliedBy(2)) < 0;
    }

    private Optional<Duration> tolerance() {
        boolean isTimed = TIMES.stream().anyMatch(it -> values.findAllowed(it).isPresent());
        return values.findAllowed(SignatureSettings.TOLERANCE)
                .or(() -> isTimed ? Optional.of(Freshness.DEFAULT_TOLERANCE) : Optional.empty());
    }

    private void tell(String what) {
        if (isStrict) {
            values.problem(PerSourceSettings.TTL, what + "; allowed with strict-ttl=true: a longer ttl");
        } else {
            values.warning(PerSourceSettings.TTL, what);
        }
    }
}
