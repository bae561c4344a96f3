package dev.exactlyonce.spi;

import dev.exactlyonce.common.KebabCase;
import dev.exactlyonce.common.WholeNumbers;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The type of a setting's value: what is allowed, and how the text becomes a value.
 *
 * <pre>{@code
 * SettingType<Duration> timeout = SettingType.duration(Duration.ofMillis(10), Duration.ofSeconds(60));
 * SettingType<Mode> mode = SettingType.choice(Mode.class);
 * SettingType<Port> port = SettingType.of("1 to 65535", Port::find);
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the value's type
 * @since 0.1.0
 */
public final class SettingType<T> {
    private static final int MAX_SHOWN = 80;

    private final String allowed;
    private final boolean isShown;
    private final Function<String, Optional<T>> parser;

    private SettingType(String allowed, boolean isShown, Function<String, Optional<T>> parser) {
        this.allowed = allowed;
        this.isShown = isShown;
        this.parser = parser;
    }

    /**
     * A type of your own.
     *
     * @param allowed the allowed values, in Markdown; part of the documentation and of every fault
     * @param parser returns empty for a value that is not allowed, or throws an {@link IllegalArgumentException} whose
     *     message becomes the fault as it is
     */
    public static <T> SettingType<T> of(String allowed, Function<String, Optional<T>> parser) {
        return new SettingType<>(allowed, true, parser);
    }

    /** Any text. */
    public static SettingType<String> text(String allowed) {
        return of(allowed, Optional::of);
    }

    /** A text that the pattern matches as a whole. */
    public static SettingType<String> text(String allowed, Pattern pattern) {
        return of(
                allowed,
                text -> Optional.of(text).filter(it -> pattern.matcher(it).matches()));
    }

    /** {@code true} or {@code false}. */
    public static SettingType<Boolean> bool() {
        return of("`true`, `false`", text -> switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    /** A whole number within these bounds, both allowed. */
    public static SettingType<Integer> integer(int least, int most) {
        return of("a whole number, " + least + " to " + most, text -> WholeNumbers.parse(text, least, most));
    }

    /** A duration within these bounds, both allowed. */
    public static SettingType<Duration> duration(Duration least, Duration most) {
        return of("a duration in ISO-8601, " + bound(least) + " to " + bound(most), text -> {
            try {
                return Optional.of(Duration.parse(text))
                        .filter(it -> it.compareTo(least) >= 0 && it.compareTo(most) <= 0);
            } catch (DateTimeParseException | ArithmeticException notADuration) {
                return Optional.empty();
            }
        });
    }

    /** One constant of an enum, written in kebab-case. */
    public static <E extends Enum<E>> SettingType<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        return of(
                Arrays.stream(constants).map(it -> "`" + KebabCase.of(it) + "`").collect(Collectors.joining(", ")),
                text -> Arrays.stream(constants)
                        .filter(it -> KebabCase.of(it).equals(text))
                        .findFirst());
    }

    /** An absolute path; whether a file exists there is not checked. */
    public static SettingType<Path> path(String allowed) {
        return of(allowed, text -> {
            try {
                return Optional.of(Path.of(text).toAbsolutePath());
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(
                        "is not a valid path on this system; allowed: " + withoutMarkdown(allowed));
            }
        });
    }

    /** The same type for values that no message may show, such as secrets and addresses. */
    public SettingType<T> hidden() {
        return new SettingType<>(allowed, false, parser);
    }

    /** In one unit: P365D, not PT8760H. */
    private static String bound(Duration value) {
        if (value.toDays() > 0) {
            return "P" + value.toDays() + "D";
        }
        return value.toSeconds() > 0 ? "PT" + value.toSeconds() + "S" : value.toString();
    }

    /** The allowed values, in Markdown. */
    public String documentedValues() {
        return allowed;
    }

    /** The allowed values as a message shows them. */
    public String allowedValues() {
        return withoutMarkdown(allowed);
    }

    private static String withoutMarkdown(String text) {
        return text.replace("`", "");
    }

    /**
     * Parses a value.
     *
     * @return empty for a value that is not allowed
     * @throws IllegalArgumentException for one of which the type itself says what is wrong
     */
    public Optional<T> find(String text) {
        return parser.apply(text);
    }

    /**
     * Parses a value.
     *
     * @param hint follows the allowed values in a fault, such as an example; may be empty
     * @throws IllegalArgumentException whose message says what is wrong and what is allowed
     */
    T parse(String text, String hint) {
        return parser.apply(text).orElseThrow(() -> notAllowed(text, allowedValues() + hint));
    }

    private IllegalArgumentException notAllowed(String text, String expected) {
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
        return new IllegalArgumentException(
                (isShown ? "'" + shown + "'" : "the value") + " is not allowed; allowed: " + expected);
    }
}
