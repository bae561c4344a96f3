package dev.exactlyonce.spi;

import dev.exactlyonce.common.KebabCase;
import dev.exactlyonce.common.WholeNumbers;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
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
    private final String documented;
    private final String hint;
    private final boolean isShown;
    private final Function<String, Optional<T>> parser;

    private SettingType(
            String allowed, String documented, String hint, boolean isShown, Function<String, Optional<T>> parser) {
        this.allowed = allowed;
        this.documented = documented;
        this.hint = hint;
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
        return new SettingType<>(allowed, allowed, "", true, parser);
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
        return choice(type.getEnumConstants());
    }

    /** One of these constants of an enum, written in kebab-case. */
    public static <E extends Enum<E>> SettingType<E> choice(E[] constants) {
        List<E> offered = List.of(constants);
        return of(
                offered.stream().map(it -> "`" + KebabCase.of(it) + "`").collect(Collectors.joining(", ")),
                text -> offered.stream()
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
        return new SettingType<>(allowed, documented, hint, false, parser);
    }

    /** The same type, whose documentation describes the allowed values by this Markdown; a fault still lists them. */
    public SettingType<T> documentedAs(String markdown) {
        return new SettingType<>(allowed, markdown, hint, isShown, parser);
    }

    /** The same type, with an example behind the allowed values of a fault. */
    SettingType<T> withExample(String example) {
        return new SettingType<>(allowed, documented, ", such as " + example, isShown, parser);
    }

    /** In one unit: P365D, not PT8760H. */
    private static String bound(Duration value) {
        if (value.toDays() > 0) {
            return "P" + value.toDays() + "D";
        }
        return value.toSeconds() > 0 ? "PT" + value.toSeconds() + "S" : value.toString();
    }

    /** The allowed values as they are documented, in Markdown. */
    public String documentedValues() {
        return documented;
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
     * @throws IllegalArgumentException whose message says what is wrong and what is allowed
     */
    public T parse(String text) {
        return parser.apply(text).orElseThrow(() -> new IllegalArgumentException(notAllowed(text)));
    }

    /** What a fault says of a value that is not allowed. */
    public String notAllowed(String text) {
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
        return (isShown ? "'" + shown + "'" : "the value") + " is not allowed; allowed: " + allowedValues() + hint;
    }
}
