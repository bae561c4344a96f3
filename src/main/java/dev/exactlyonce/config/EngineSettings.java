package dev.exactlyonce.config;

import java.time.Duration;
import java.util.List;

/**
 * The engine's own settings.
 *
 * @param maxHold the longest time for which the claim of a running handler is renewed
 * @param remember how many records are kept in memory
 * @param downWhenDegraded whether readiness is DOWN while a guarantee is weaker than configured
 * @param warnings logged at startup: settings that are allowed but may be a mistake; each names its property
 */
public record EngineSettings(Duration maxHold, int remember, boolean downWhenDegraded, List<String> warnings) {
    public EngineSettings {
        warnings = List.copyOf(warnings);
    }
}
