package dev.exactlyonce.config;

import dev.exactlyonce.source.Sources;
import java.time.Duration;
import java.util.List;

/**
 * The whole configuration, checked.
 *
 * @param application the application's name, for readiness and the file's name
 */
public record Settings(
        String application,
        ChosenStore store,
        EngineSettings engine,
        Sources sources,
        SenderConfiguration sending,
        TurnConfiguration turns) {
    /** See {@link EngineSettings#maxHold}. */
    public Duration maxHold() {
        return engine.maxHold();
    }

    /** See {@link EngineSettings#remember}. */
    public int remember() {
        return engine.remember();
    }

    /** See {@link EngineSettings#downWhenDegraded}. */
    public boolean downWhenDegraded() {
        return engine.downWhenDegraded();
    }

    /** See {@link EngineSettings#warnings}. */
    public List<String> warnings() {
        return engine.warnings();
    }
}
