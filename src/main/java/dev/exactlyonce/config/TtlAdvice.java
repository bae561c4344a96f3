package dev.exactlyonce.config;

import dev.exactlyonce.signature.Freshness;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** Whether the records of one source outlive what may be sent again: a delivery runs again once its record has ended. */
final class TtlAdvice {
    private static final List<Setting> TIMES =
            List.of(Setting.SOURCE_TIMESTAMP_HEADER, Setting.SOURCE_TIMESTAMP_PREFIX, Setting.SOURCE_TIMESTAMP_JSON);

    private final ConfigReader values;
    private final boolean isStrict;

    /** @param isStrict whether a TTL that is too short stops the deployment */
    TtlAdvice(ConfigReader values, boolean isStrict) {
        this.values = values;
        this.isStrict = isStrict;
    }

    void give(Duration ttl) {
        duration(Setting.SOURCE_RETRY_WINDOW)
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
        boolean isTimed = TIMES.stream().anyMatch(it -> values.read(it, false, text -> true));
        return duration(Setting.SOURCE_TOLERANCE)
                .or(() -> isTimed ? Optional.of(Freshness.DEFAULT_TOLERANCE) : Optional.empty());
    }

    /** A malformed value is reported where it is used. */
    private Optional<Duration> duration(Setting setting) {
        return values.read(setting, Optional.empty(), text -> {
            try {
                return Optional.of(Duration.parse(text));
            } catch (DateTimeParseException malformed) {
                return Optional.empty();
            }
        });
    }

    private void tell(String what) {
        if (isStrict) {
            values.problem(Setting.SOURCE_TTL, what + "; allowed with strict-ttl=true: a longer ttl");
        } else {
            values.warning(Setting.SOURCE_TTL, what);
        }
    }
}
