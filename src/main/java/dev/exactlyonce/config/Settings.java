package dev.exactlyonce.config;

import dev.exactlyonce.source.Sources;
import java.time.Duration;
import java.util.List;

/**
 * The whole configuration, checked.
 *
 * @param application the application's name, for readiness and the file's name
 * @param warnings what is set and can be lived with, but should be known; each names its property
 * @param maxHold how long the claim of a handler that still runs is renewed, at most
 */
public record Settings(
        String application,
        ChosenStore store,
        Duration maxHold,
        int remember,
        boolean downWhenDegraded,
        Sources sources,
        SenderConfiguration sending,
        List<String> warnings) {
    public Settings {
        warnings = List.copyOf(warnings);
    }
}
