package dev.exactlyonce.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;

/** Reads typed values by name and collects what is wrong with them, so that one deployment tells every fault. */
final class Values {
    private final Config config;
    private final List<String> problems = new ArrayList<>();

    Values(Config config) {
        this.config = config;
    }

    List<String> problems() {
        return problems;
    }

    void problem(String name, String fault) {
        problems.add(name + ": " + fault);
    }

    /** The expanded text; a value that does not expand is a fault, not an absence. */
    Optional<String> text(String name) {
        String raw = null;
        try {
            ConfigValue value = config.getConfigValue(name);
            raw = value.getRawValue();
            if (value.getValue() != null) {
                String text = value.getValue().strip();
                return text.isEmpty() ? Optional.empty() : Optional.of(text);
            }
        } catch (NoSuchElementException | IllegalArgumentException unexpanded) {
            raw = "unexpanded";
        }
        if (raw != null && !raw.isBlank()) {
            problem(name, "the value holds a ${…} that does not expand; escape it as \\${…} or define what it names");
        }
        return Optional.empty();
    }

    /** Reads with the parser; its {@link IllegalArgumentException} becomes a problem, and the fallback the value. */
    <T> T read(Setting setting, Optional<String> source, T fallback, Function<String, T> parser) {
        String name = setting.name(source);
        return text(name)
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

    Duration duration(Setting setting, Optional<String> source, Duration fallback, Duration least, Duration most) {
        return read(setting, source, fallback, text -> {
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

    int integer(Setting setting, Optional<String> source, int fallback, int most) {
        return read(
                setting,
                source,
                fallback,
                text -> wholeNumber(text, 0, most).orElseThrow(() -> notAllowed(text, "a whole number, 0 to " + most)));
    }

    /** ASCII digits alone: what {@link Integer#parseInt} takes besides is more often a slip than meant. */
    static Optional<Integer> wholeNumber(String text, int least, int most) {
        return Optional.of(text)
                .filter(it -> it.matches("[0-9]{1,10}"))
                .map(Long::parseLong)
                .filter(it -> it >= least && it <= most)
                .map(Long::intValue);
    }

    boolean bool(Setting setting, boolean fallback) {
        return read(setting, Optional.empty(), fallback, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw notAllowed(text, "true, false");
        });
    }

    /** One of an enum's constants, in kebab-case. */
    <E extends Enum<E>> E choice(Setting setting, Optional<String> source, E fallback) {
        E[] constants = fallback.getDeclaringClass().getEnumConstants();
        return read(
                setting,
                source,
                fallback,
                text -> Arrays.stream(constants)
                        .filter(it -> kebab(it).equals(text))
                        .findFirst()
                        .orElseThrow(() -> notAllowed(
                                text,
                                Arrays.stream(constants).map(Values::kebab).collect(Collectors.joining(", ")))));
    }

    static String kebab(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static IllegalArgumentException notAllowed(String text, String allowed) {
        String shown = text.length() > 80 ? text.substring(0, 80) + "…" : text;
        return new IllegalArgumentException("'" + shown + "' is not allowed; allowed: " + allowed);
    }
}
