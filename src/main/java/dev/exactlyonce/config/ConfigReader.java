package dev.exactlyonce.config;

import dev.exactlyonce.common.WholeNumbers;
import dev.exactlyonce.spi.SettingDefinition;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads typed values by name and collects what is wrong with them, so that one deployment reports every fault. */
final class ConfigReader {
    private static final String UNEXPANDED =
            "the value holds a ${…} that does not expand; escape it as \\${…} or define what it names";

    private final ConfigNames names;
    private final List<String> problems;
    private final List<String> warnings;
    private final Optional<String> source;
    private final Map<String, String> lines;

    ConfigReader(ConfigNames names) {
        this(names, new ArrayList<>(), new ArrayList<>(), Optional.empty(), Map.of());
    }

    private ConfigReader(
            ConfigNames names,
            List<String> problems,
            List<String> warnings,
            Optional<String> source,
            Map<String, String> lines) {
        this.names = names;
        this.problems = problems;
        this.warnings = warnings;
        this.source = source;
        this.lines = lines;
    }

    /**
     * The same for the settings of one source, or of one endpoint.
     *
     * @param standIns what stands in for a setting that is not set, by its key
     */
    ConfigReader of(String name, Map<String, String> standIns) {
        return new ConfigReader(names, problems, warnings, Optional.of(name), standIns);
    }

    List<String> problems() {
        return problems;
    }

    /** Settings that are allowed but may be a mistake. */
    List<String> warnings() {
        return warnings;
    }

    void warning(Property setting, String what) {
        warnings.add(name(setting) + ": " + what);
    }

    void problem(String name, String fault) {
        problems.add(name + ": " + fault);
    }

    void problem(Property setting, String fault) {
        problem(name(setting), fault);
    }

    /** A problem for each of these that is set. */
    void refuse(List<? extends Property> settings, String fault) {
        settings.stream().filter(this::isSet).forEach(it -> problem(it, fault));
    }

    String name(Property setting) {
        return setting.name(source);
    }

    boolean isSet(Property setting) {
        return names.find(name(setting)).isPresent();
    }

    /** A secret, which is never shown, and not stripped: blanks around it are a mistake that must be reported. */
    Optional<String> secret(Property setting) {
        return names.find(name(setting)).flatMap(it -> it.raw().isEmpty() ? Optional.of("") : expanded(setting, it));
    }

    private Optional<String> expanded(Property setting, ConfigNames.SourcedValue found) {
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
    Optional<String> text(Property setting) {
        return text(name(setting));
    }

    /** Reads with the parser; its {@link IllegalArgumentException} becomes a problem, and the fallback the value. */
    <T> T read(Property setting, T fallback, Function<String, T> parser) {
        String name = name(setting);
        return text(name)
                .or(() -> Optional.ofNullable(lines.get(setting.key())))
                .map(text -> {
                    try {
                        return parser.apply(text);
                    } catch (IllegalArgumentException e) {
                        problem(name, String.valueOf(e.getMessage()));
                        return fallback;
                    }
                })
                .orElse(fallback);
    }

    /** The value of a setting without a scope; empty where it is not set, or not allowed, which is a problem then. */
    <T> Optional<T> find(SettingDefinition<T> setting) {
        return text(setting.name()).flatMap(text -> {
            try {
                return Optional.of(setting.parse(text));
            } catch (IllegalArgumentException fault) {
                problem(setting.name(), String.valueOf(fault.getMessage()));
                return Optional.empty();
            }
        });
    }

    /** The value of a setting without a scope, or its default. */
    <T> T get(SettingDefinition<T> setting) {
        return find(setting)
                .or(setting::defaultValue)
                .orElseThrow(() -> new IllegalStateException(setting + " has no default"));
    }

    Duration duration(Property setting, Duration fallback, Duration least, Duration most) {
        return read(setting, fallback, text -> {
            try {
                Duration value = Duration.parse(text);
                if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
                    return value;
                }
            } catch (DateTimeParseException | ArithmeticException notADuration) {
                // falls through to the one message
            }
            throw notAllowed(
                    text, "a duration in ISO-8601, " + bound(least) + " to " + bound(most) + ", such as " + fallback);
        });
    }

    /** In one unit, so that it reads as a bound: P365D, not PT8760H. */
    private static String bound(Duration value) {
        if (value.toDays() > 0) {
            return "P" + value.toDays() + "D";
        }
        return value.toSeconds() > 0 ? "PT" + value.toSeconds() + "S" : value.toString();
    }

    int integer(Property setting, int fallback, int most) {
        return read(
                setting,
                fallback,
                text -> WholeNumbers.parse(text, 0, most)
                        .orElseThrow(() -> notAllowed(text, "a whole number, 0 to " + most)));
    }

    boolean bool(Property setting, boolean fallback) {
        return read(setting, fallback, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw notAllowed(text, "true, false");
        });
    }

    /** One of an enum's constants, in kebab-case. */
    <E extends Enum<E>> E choice(Property setting, E fallback) {
        E[] constants = fallback.getDeclaringClass().getEnumConstants();
        return read(setting, fallback, text -> oneOf(constants, text));
    }

    static <E extends Enum<E>> E oneOf(E[] constants, String text) {
        return Arrays.stream(constants)
                .filter(it -> kebab(it).equals(text))
                .findFirst()
                .orElseThrow(() -> notAllowed(
                        text, Arrays.stream(constants).map(ConfigReader::kebab).collect(Collectors.joining(", "))));
    }

    static String kebab(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static IllegalArgumentException notAllowed(String text, String allowed) {
        return new IllegalArgumentException(notAllowedFault(text, allowed));
    }

    static String notAllowedFault(String text, String allowed) {
        String shown = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return "'" + shown + "' is not allowed; allowed: " + allowed;
    }
}
