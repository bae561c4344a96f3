package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingDefinition;
import dev.exactlyonce.spi.SettingType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the values of settings by their definitions and collects what is wrong with them, so that one deployment reports
 * every fault.
 */
final class ConfigReader {
    private static final String UNEXPANDED =
            "the value holds a ${…} that does not expand; escape it as \\${…} or define what it names";

    private final ConfigNames names;
    private final List<String> problems;
    private final List<String> warnings;
    private final Optional<String> owner;
    private final Map<String, String> lines;

    ConfigReader(ConfigNames names) {
        this(names, new ArrayList<>(), new ArrayList<>(), Optional.empty(), Map.of());
    }

    private ConfigReader(
            ConfigNames names,
            List<String> problems,
            List<String> warnings,
            Optional<String> owner,
            Map<String, String> lines) {
        this.names = names;
        this.problems = problems;
        this.warnings = warnings;
        this.owner = owner;
        this.lines = lines;
    }

    /**
     * The same for the settings of one source, or of one endpoint.
     *
     * @param lines a preset's, which stand in for a setting that is not set, by its key
     */
    ConfigReader of(String name, Map<String, String> lines) {
        return new ConfigReader(names, problems, warnings, Optional.of(name), lines);
    }

    List<String> problems() {
        return problems;
    }

    /** Settings that are allowed but may be a mistake. */
    List<String> warnings() {
        return warnings;
    }

    void warning(SettingDefinition<?> setting, String what) {
        warnings.add(name(setting) + ": " + what);
    }

    void problem(String name, String fault) {
        problems.add(name + ": " + fault);
    }

    void problem(SettingDefinition<?> setting, String fault) {
        problem(name(setting), fault);
    }

    /** A problem for each of these that is set. */
    void refuse(List<SettingDefinition<?>> settings, String fault) {
        settings.stream().filter(this::isSet).forEach(it -> problem(it, fault));
    }

    private String name(SettingDefinition<?> setting) {
        return owner.map(it -> SettingScope.name(setting, it)).orElseGet(setting::name);
    }

    boolean isSet(SettingDefinition<?> setting) {
        return names.find(name(setting)).isPresent();
    }

    /** A secret, which is never shown, and not stripped: blanks around it are a mistake that must be reported. */
    Optional<String> secret(SettingDefinition<String> setting) {
        return names.find(name(setting)).flatMap(it -> it.raw().isEmpty() ? Optional.of("") : expanded(setting, it));
    }

    private Optional<String> expanded(SettingDefinition<?> setting, ConfigNames.SourcedValue found) {
        if (found.value() == null) {
            problem(setting, UNEXPANDED);
        }
        return Optional.ofNullable(found.value());
    }

    /** The expanded text; a value that does not expand is a fault, not an absence. */
    Optional<String> text(String name) {
        Optional<ConfigNames.SourcedValue> found = names.find(name);
        if (found.isPresent()
                && found.get().value() == null
                && !found.get().raw().isBlank()) {
            problem(name, UNEXPANDED);
        }
        return found.map(ConfigNames.SourcedValue::value).map(String::strip).filter(it -> !it.isEmpty());
    }

    /** The setting's own text, whatever stands in for it. */
    Optional<String> text(SettingDefinition<?> setting) {
        return text(name(setting));
    }

    /** The value; empty where it is not set, and where it is not allowed, which is a problem then. */
    <T> Optional<T> find(SettingDefinition<T> setting) {
        return find(setting, setting.type());
    }

    /** The same, where a preset may have more values than a source may set. */
    <T> Optional<T> find(SettingDefinition<T> setting, SettingType<T> ofPreset) {
        try {
            Optional<String> text = text(setting);
            return text.isPresent()
                    ? text.map(setting::parse)
                    : Optional.ofNullable(lines.get(SettingScope.key(setting))).map(ofPreset::parse);
        } catch (IllegalArgumentException fault) {
            problem(setting, String.valueOf(fault.getMessage()));
            return Optional.empty();
        }
    }

    /** The value where one is set that is allowed; another one is reported where it is used. */
    <T> Optional<T> findAllowed(SettingDefinition<T> setting) {
        int reported = problems.size();
        Optional<T> value = find(setting);
        problems.subList(reported, problems.size()).clear();
        return value;
    }

    /** The value, or the default. */
    <T> T get(SettingDefinition<T> setting) {
        return get(setting, setting.type());
    }

    /** The same, where a preset may have more values than a source may set. */
    <T> T get(SettingDefinition<T> setting, SettingType<T> ofPreset) {
        return find(setting, ofPreset)
                .or(setting::defaultValue)
                .orElseThrow(() -> new IllegalStateException(setting + " has no default"));
    }
}
