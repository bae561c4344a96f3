package dev.exactlyonce.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds a setting in every notation of its name. All values are read here: MicroProfile Config itself answers one notation,
 * and on some servers maps it to the environment with the upper case of the server's locale.
 */
final class ConfigNames {
    private static final Comparator<SourcedValue> BY_PRECEDENCE =
            Comparator.comparingInt(SourcedValue::ordinal).thenComparing(SourcedValue::isOfProfile);

    private final Config config;
    private final List<ConfigSource> sources = new ArrayList<>();
    private final List<String> profiles;
    private final Map<String, Set<String>> written = new HashMap<>();
    private final Set<String> slips = new TreeSet<>();
    private Set<String> known = Set.of();
    private Set<String> ambiguous = Set.of();

    /**
     * What is set.
     *
     * @param name in the notation that has it
     * @param value null where the raw one does not expand
     */
    record SourcedValue(String name, String raw, @Nullable String value, int ordinal, boolean isOfProfile) {
        private boolean isEqualTo(SourcedValue other) {
            boolean bothExpand = value != null && other.value != null;
            return bothExpand ? Objects.equals(value, other.value) : raw.equals(other.raw);
        }
    }

    ConfigNames(Config config) {
        this.config = config;
        config.getConfigSources().forEach(sources::add);
        this.profiles = profiles(config);
        Set<String> literal = sources.stream().flatMap(this::literal).collect(Collectors.toSet());
        literal.forEach(this::add);
        // those that a server adds stand for what is written already, such as a variable of the environment
        Set<String> folded = literal.stream().map(Notation::folded).collect(Collectors.toSet());
        config.getPropertyNames().forEach(it -> {
            if (isMeant(it) && !folded.contains(Notation.folded(it))) {
                add(it);
            }
        });
    }

    /** A source's names without those that it makes of the environment's: dotted, in lower case. */
    private Stream<String> literal(ConfigSource source) {
        List<String> names = source.getPropertyNames().stream()
                .filter(it -> isMeant(withoutProfile(it)))
                .toList();
        Set<String> mapped = names.stream()
                .filter(it -> !Notation.isMade(it) && maps(source, it))
                .map(Notation::folded)
                .collect(Collectors.toSet());
        return names.stream().filter(it -> !Notation.isMade(it) || !mapped.contains(Notation.folded(it)));
    }

    /** Whether a source answers for a name in other notations, too, as the environment does; no one writes a slash. */
    private static boolean maps(ConfigSource source, String name) {
        return source.getValue(name) != null && source.getValue(name.replaceAll("[^A-Za-z0-9]", "/")) != null;
    }

    private static List<String> profiles(Config config) {
        return config.getOptionalValue("mp.config.profile", String.class).stream()
                .flatMap(it -> Arrays.stream(it.split(",", -1)))
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .toList();
    }

    private static boolean isMeant(String name) {
        return Notation.isOurs(name) || Notation.isSlip(name);
    }

    private void add(String name) {
        if (Notation.isSlip(name)) {
            slips.add(name);
        } else {
            written.computeIfAbsent(Notation.meaning(withoutProfile(name)), it -> new TreeSet<>())
                    .add(name);
        }
    }

    /**
     * Makes known which names have a meaning. The sources and endpoints are settings themselves, so this follows the
     * reading of these two.
     */
    void know(Set<String> documented) {
        known = Set.copyOf(documented);
        ambiguous = known.stream().collect(Collectors.groupingBy(Notation::folded)).entrySet().stream()
                .filter(it -> it.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The name without the active profile that it is for: {@code %dev.}, or {@code _DEV_} in the environment. */
    private String withoutProfile(String name) {
        String folded = Notation.folded(name);
        return profiles.stream()
                .map(it -> Notation.folded("%" + it + "."))
                .filter(it -> folded.startsWith(it) && Notation.isOurs(folded.substring(it.length())))
                .findFirst()
                .map(it -> name.substring(it.length()))
                .orElse(name);
    }

    /** The value of a setting, in whichever notation it is set. */
    Optional<SourcedValue> find(String name) {
        return all(name).stream().findFirst();
    }

    /** Two notations with different values, of which none overrides the other. */
    Optional<List<String>> conflict(String name) {
        List<SourcedValue> all = all(name);
        return all.stream()
                .filter(it -> !it.isEqualTo(all.get(0)))
                .findFirst()
                .map(it -> List.of(all.get(0).name(), it.name()));
    }

    /** What each notation says, the documented one first. */
    private List<SourcedValue> all(String name) {
        Set<String> notations = notations(name);
        return Stream.concat(
                        Stream.of(name),
                        notations.stream()
                                .filter(it -> !it.equals(name) && !isMapped(it, name) && !isMarked(it, name))
                                .filter(it -> lookUp(it).isPresent()))
                .flatMap(it -> winners(it, notations).stream())
                .toList();
    }

    private Set<String> notations(String name) {
        Set<String> names = new LinkedHashSet<>();
        names.add(name);
        names.addAll(written.getOrDefault(Notation.meaning(name), Set.of()));
        if (!ambiguous.contains(Notation.folded(name))) {
            names.addAll(written.getOrDefault(Notation.folded(name), Set.of()));
            names.addAll(Notation.environment(name)); // a source need not list its names
        }
        return names;
    }

    /** What a notation comes to: of the sources that have it, or the environment's form of it, the highest. */
    private List<SourcedValue> winners(String name, Set<String> notations) {
        List<SourcedValue> candidates = Stream.concat(
                        notations.stream().filter(it -> !it.equals(name) && isMapped(it, name)), Stream.of(name))
                .map(this::lookUp)
                .flatMap(Optional::stream)
                .toList();
        return candidates.stream()
                .max(BY_PRECEDENCE)
                .map(max -> candidates.stream()
                        .filter(it -> BY_PRECEDENCE.compare(it, max) == 0)
                        .toList())
                .orElse(List.of());
    }

    /** Whether it is the documented name, for the active profile alone. */
    private boolean isMarked(String name, String documented) {
        return name.startsWith("%") && withoutProfile(name).equals(documented);
    }

    /** Whether it is a variable of the environment that stands for that name by the rules of MicroProfile Config. */
    private boolean isMapped(String variable, String name) {
        return Notation.environment(name).contains(withoutProfile(variable))
                && sources.stream().anyMatch(it -> maps(it, variable));
    }

    private Optional<SourcedValue> lookUp(String name) {
        boolean isOfProfile = !withoutProfile(name).equals(name);
        try {
            ConfigValue value = config.getConfigValue(name);
            return Optional.ofNullable(value.getRawValue())
                    .map(raw -> new SourcedValue(name, raw, value.getValue(), value.getSourceOrdinal(), isOfProfile));
        } catch (NoSuchElementException | IllegalArgumentException unexpanded) {
            int ordinal = sources.stream()
                    .filter(it -> it.getValue(name) != null)
                    .mapToInt(ConfigSource::getOrdinal)
                    .max()
                    .orElse(0);
            return Optional.of(new SourcedValue(name, "${…}", null, ordinal, isOfProfile));
        }
    }

    /** Names that are meant for this module and are no notation of a known one. */
    Set<String> unknown() {
        Set<String> meanings = known.stream()
                .flatMap(it -> Stream.of(Notation.meaning(it), Notation.folded(it)))
                .collect(Collectors.toSet());
        return Stream.concat(
                        written.entrySet().stream()
                                .filter(it -> !meanings.contains(it.getKey()))
                                .flatMap(it -> it.getValue().stream()),
                        slips.stream().filter(it -> meanings.contains(Notation.corrected(it))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names that may stand for several settings, and these. */
    Map<String, Set<String>> ambiguous() {
        return ambiguous.stream()
                .flatMap(it -> written.getOrDefault(it, Set.of()).stream())
                .collect(Collectors.toMap(Function.identity(), it -> meanings(withoutProfile(it))));
    }

    private Set<String> meanings(String name) {
        return known.stream()
                .filter(it -> Notation.folded(it).equals(Notation.folded(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
