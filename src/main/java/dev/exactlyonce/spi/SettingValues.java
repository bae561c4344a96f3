package dev.exactlyonce.spi;

import java.util.Optional;

/**
 * The values of a store's settings, already read and parsed.
 *
 * <pre>{@code
 * Duration timeout = values.get(TIMEOUT);
 * Optional<String> password = values.find(PASSWORD);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface SettingValues {
    /**
     * The value that is set, or the default.
     *
     * @throws IllegalStateException when the setting has neither; see {@link #find}
     */
    default <T> T get(SettingDefinition<T> setting) {
        return find(setting)
                .or(setting::defaultValue)
                .orElseThrow(() -> new IllegalStateException(setting + " is not set and has no default"));
    }

    /** The value that is set; empty where the setting is not set, or its value is not allowed. */
    <T> Optional<T> find(SettingDefinition<T> setting);
}
