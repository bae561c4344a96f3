package dev.exactlyonce.spi;

import dev.exactlyonce.common.KebabCase;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The definition of a setting. Reading, checks, default, faults and documentation follow from it.
 *
 * <pre>{@code
 * static final SettingDefinition<Duration> TIMEOUT = SettingDefinition.of(
 *         "exactlyonce.example.timeout",
 *         SettingType.duration(Duration.ofMillis(10), Duration.ofSeconds(60)),
 *         Duration.ofSeconds(2),
 *         "How long an operation of the store may take.");
 * }</pre>
 *
 * <p>Immutable and thread-safe. Values are found by the name.
 *
 * @param <T> the value's type
 * @since 0.1.0
 */
public final class SettingDefinition<T> {
    private final String name;
    private final SettingType<T> type;
    private final Optional<T> defaultValue;
    private final String documentedDefault;
    private final String description;

    private SettingDefinition(
            String name, SettingType<T> type, Optional<T> defaultValue, String documentedDefault, String description) {
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
        this.documentedDefault = documentedDefault;
        this.description = description;
    }

    /**
     * A setting with a default.
     *
     * @param name the property's whole name, such as {@code exactlyonce.example.timeout}
     * @param description one or two sentences in Markdown
     */
    public static <T> SettingDefinition<T> of(String name, SettingType<T> type, T defaultValue, String description) {
        return new SettingDefinition<>(
                name,
                defaultValue instanceof Duration example ? type.withExample(example.toString()) : type,
                Optional.of(defaultValue),
                "`" + written(defaultValue).replace("|", "\\|") + "`",
                description);
    }

    /**
     * A setting without a default.
     *
     * @param name the property's whole name, such as {@code exactlyonce.example.password}
     * @param description one or two sentences in Markdown
     */
    public static <T> SettingDefinition<T> optional(String name, SettingType<T> type, String description) {
        return new SettingDefinition<>(name, type, Optional.empty(), "not set", description);
    }

    private static String written(Object value) {
        if (value instanceof Collection<?> values) {
            return values.stream().map(SettingDefinition::written).collect(Collectors.joining(","));
        }
        return value instanceof Enum<?> constant ? KebabCase.of(constant) : String.valueOf(value);
    }

    /** The same setting, with this Markdown as its documented default. */
    public SettingDefinition<T> withDocumentedDefault(String markdown) {
        return new SettingDefinition<>(name, type, defaultValue, markdown, description);
    }

    /** The property's whole name. */
    public String name() {
        return name;
    }

    public SettingType<T> type() {
        return type;
    }

    /** The value where the setting is not set; empty for a setting without a default. */
    public Optional<T> defaultValue() {
        return defaultValue;
    }

    /** The default as it is documented, in Markdown. */
    public String documentedDefault() {
        return documentedDefault;
    }

    /** What the setting is for, in Markdown. */
    public String description() {
        return description;
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException whose message says what is wrong and what is allowed
     */
    public T parse(String text) {
        return type.parse(text);
    }

    @Override
    public String toString() {
        return name;
    }
}
