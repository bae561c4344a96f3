package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How the name of a setting may be written: case does not count, nor does which character separates its words. All of it
 * is independent of the server's locale.
 */
final class Notation {
    private static final String OURS = "exactlyonce_";
    private static final String SLIP = "exactly_once_";

    /** The folded keys by the scope that they stand in. */
    private static final Map<List<String>, Set<String>> SCOPES = Map.of(
            scope(SettingScope.SOURCE), keys(PerSourceSettings.ALL),
            scope(SettingScope.ENDPOINT), keys(PerEndpointSettings.ALL));

    private Notation() {}

    private static List<String> scope(String prefix) {
        return List.of(prefix.split("\\."));
    }

    private static Set<String> keys(List<SettingDefinition<?>> settings) {
        return settings.stream().map(it -> folded(SettingScope.key(it))).collect(Collectors.toUnmodifiableSet());
    }

    /** What all notations of a name have in common. */
    static String folded(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toLowerCase(Locale.ROOT);
    }

    /**
     * Whether a name is meant for this module. What stands before its first letter, such as a file's byte order mark, makes
     * it no other one's.
     */
    static boolean isOurs(String name) {
        return visible(name).startsWith(OURS);
    }

    /** Whether it begins with the name of this project as it is written elsewhere, and may be meant for this module. */
    static boolean isSlip(String name) {
        return visible(name).startsWith(SLIP);
    }

    /** What the folded name of a slip would be without it. */
    static String corrected(String name) {
        return visible(name).replaceFirst("^" + SLIP, OURS);
    }

    /** The folded name from its first letter on. */
    static String visible(String name) {
        return folded(name).replaceFirst("^_+", "");
    }

    /**
     * What a name means. The folded names of two settings may be equal: {@code exactlyonce.source.a-event.key} and
     * {@code exactlyonce.source.a.event-key}. Where the dots are in their places they tell them apart; elsewhere this is
     * the folded name.
     */
    static String meaning(String name) {
        String[] parts = name.split("\\.", -1);
        return SCOPES.entrySet().stream()
                .filter(it -> isIn(it.getKey(), parts))
                .map(it -> inScope(it.getKey().size(), it.getValue(), parts))
                .filter(it -> !it.isEmpty())
                .findFirst()
                .orElseGet(() -> folded(name));
    }

    private static boolean isIn(List<String> scope, String[] parts) {
        return parts.length > scope.size() + 1
                && scope.equals(Arrays.stream(parts)
                        .limit(scope.size())
                        .map(Notation::folded)
                        .toList());
    }

    private static String inScope(int size, Set<String> keys, String[] parts) {
        String scope = String.join(".", Arrays.asList(parts).subList(0, size));
        String key = folded(String.join(".", Arrays.asList(parts).subList(size + 1, parts.length)));
        return keys.contains(key) ? folded(scope) + "." + folded(parts[size]) + "." + key : "";
    }

    /** How the environment writes a name, by the rules of MicroProfile Config. */
    static List<String> environment(String name) {
        String underscores = name.replaceAll("[^A-Za-z0-9]", "_");
        return List.of(underscores, underscores.toUpperCase(Locale.ROOT));
    }

    /** Whether a name looks as one that a server makes of a variable of the environment. */
    static boolean isMade(String name) {
        return name.indexOf('_') < 0 && name.equals(name.toLowerCase(Locale.ROOT));
    }
}
