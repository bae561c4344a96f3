package dev.exactlyonce.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When a delivery was signed, and how far that may be from now in either direction, the edge included.
 *
 * @param header the header that tells it; none where the signature's own header does
 * @param prefix what the entry of the signature's header begins with that tells it; without meaning beside a header
 */
public record SigningTime(Optional<String> header, String prefix, TimestampFormat format, Duration tolerance) {
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    /** The text as it was sent; nothing when it is not there exactly once. */
    Optional<String> find(List<String> headerValues, List<String> entries) {
        List<String> told = header.isPresent()
                ? headerValues
                : entries.stream()
                        .filter(it -> it.startsWith(prefix))
                        .map(it -> it.substring(prefix.length()))
                        .toList();
        return told.size() == 1 ? Optional.of(told.get(0)) : Optional.empty();
    }

    boolean isRecent(String text, Instant now) {
        return format.parse(text)
                .map(then -> Duration.between(then, format.cut(now)).abs().compareTo(tolerance) <= 0)
                .orElse(false);
    }
}
