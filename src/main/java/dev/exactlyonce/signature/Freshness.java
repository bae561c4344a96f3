package dev.exactlyonce.signature;

import dev.exactlyonce.admission.Verification;
import java.time.Duration;
import java.time.Instant;

/** How far a timestamp may be from now in either direction, the edge included. */
public record Freshness(TimestampFormat format, Duration tolerance) {
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    static final Verification STALE =
            Verification.refused("the timestamp is malformed, or further from now than the tolerance");

    boolean isRecent(String text, Instant now) {
        return format.parse(text)
                .map(then -> Duration.between(then, format.cut(now)).abs().compareTo(tolerance) <= 0)
                .orElse(false);
    }
}
