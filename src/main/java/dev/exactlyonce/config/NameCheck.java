package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingDefinition;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds names that would not be read, or not as they are meant: a setting that would have no effect fails the deployment. */
final class NameCheck {
    private static final String SOURCE = Notation.folded(SettingScope.SOURCE);
    private static final String ENDPOINT = Notation.folded(SettingScope.ENDPOINT);

    private final Set<String> sources;
    private final Set<String> endpoints;
    private final List<String> ofStores;

    /**
     * Of these declared sources and endpoints.
     *
     * @param ofStores the names of the stores' settings
     */
    NameCheck(Set<String> sources, Set<String> endpoints, List<String> ofStores) {
        this.ofStores = List.copyOf(ofStores);
        this.sources = sources;
        this.endpoints = endpoints;
    }

    /** Every documented name. */
    Set<String> known() {
        Set<String> known = new TreeSet<>(ofStores);
        known.addAll(global());
        SettingScope.names(PerSourceSettings.ALL, sources).forEach(known::add);
        SettingScope.names(PerEndpointSettings.ALL, endpoints).forEach(known::add);
        return known;
    }

    private static List<String> global() {
        return Stream.of(GlobalSettings.ALL, TurnSettings.ALL, SendingSettings.ALL)
                .flatMap(List::stream)
                .map(SettingDefinition::name)
                .toList();
    }

    void report(ConfigNames names, ConfigReader values) {
        names.unknown().forEach(name -> values.problem(name, "unknown setting" + hint(name)));
        names.ambiguous()
                .forEach((name, meant) -> values.problem(
                        name,
                        "may stand for " + String.join(" and for ", meant)
                                + "; set the one that is meant by its name"));
        known().forEach(name -> names.conflict(name)
                .ifPresent(two -> values.problem(
                        name,
                        "is set twice, with different values: as " + String.join(" and as ", two)
                                + "; remove one of them")));
    }

    private String hint(String name) {
        String folded = Notation.corrected(name);
        if (Notation.folded(name).startsWith("_") && !name.startsWith("_")) {
            return ": something stands before its first letter, such as a blank or the byte order mark of a file; remove it";
        }
        if (Notation.isSlip(name)) {
            return "; it begins with exactlyonce";
        }
        if (folded.startsWith(SOURCE)) {
            return ", or its source is not declared; declared: " + String.join(", ", sources)
                    + " (see exactlyonce.sources)";
        }
        if (folded.startsWith(ENDPOINT)) {
            return ", or its endpoint is not declared; declared: " + String.join(", ", endpoints)
                    + " (see exactlyonce.sender.endpoints)";
        }
        return "; the nearest known one is " + nearest(folded);
    }

    private String nearest(String folded) {
        return Stream.concat(ofStores.stream(), global().stream())
                .min(Comparator.comparingInt(known -> EditDistance.distance(folded, Notation.folded(known))))
                .orElseThrow();
    }
}
