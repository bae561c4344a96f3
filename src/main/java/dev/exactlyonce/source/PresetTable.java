package dev.exactlyonce.source;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The reference tables of the presets, as {@code doc/sources.md} has them: one for each kind of sender. */
final class PresetTable {
    private static final String HEAD = """
            | preset | key | the key is made of | signature | one captured request | retries | TTL, lease | answers | handshake, events | the secret is | unverified |
            |---|---|---|---|---|---|---|---|---|---|---|
            """;

    private PresetTable() {}

    static String text() {
        return index()
                + Preset.GROUPS.entrySet().stream().map(PresetTable::group).collect(Collectors.joining("\n"));
    }

    /** All names in alphabetical order, each with a link to its table. */
    private static String index() {
        return Preset.NAMES.size() + " presets: "
                + new TreeSet<>(Preset.NAMES)
                        .stream()
                                .map(name -> "[" + name + "](#" + anchor(groupOf(name)) + ")")
                                .collect(Collectors.joining(", "))
                + ".\n\n";
    }

    private static String groupOf(String name) {
        return Preset.GROUPS.entrySet().stream()
                .filter(it -> it.getValue().contains(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replace(",", "").replace(' ', '-');
    }

    private static String group(Map.Entry<String, List<String>> group) {
        return group.getValue().stream()
                .map(name -> row(Preset.find(name).orElseThrow()))
                .collect(Collectors.joining("", "### " + group.getKey() + "\n\n" + HEAD, ""));
    }

    private static String row(Preset preset) {
        CapturedRequest captured = CapturedRequest.of(preset);
        return "| "
                + String.join(
                        " | ",
                        "`" + preset.name() + "`: "
                                + preset.line(Preset.DOCS)
                                        .map(it -> "[" + preset.title() + "](" + it + ")")
                                        .orElse(preset.title()),
                        code(preset.line("key")).orElse("yours")
                                + preset.line(Preset.KEY_IS)
                                        .map(it -> ": " + it)
                                        .orElse(""),
                        preset.isGeneric() ? "yours" : captured.derivation(),
                        signature(preset),
                        captured.text(),
                        preset.line(Preset.RETRY_WINDOW)
                                .map(it -> "within " + it)
                                .orElse("not known"),
                        preset.line("ttl").orElse("yours")
                                + preset.line("lease").map(it -> ", " + it).orElse(""),
                        "200; " + preset.line("in-flight-status").orElse("409"),
                        handshake(preset),
                        preset.line(Preset.SECRET_IS).orElse(""),
                        preset.line(Preset.UNVERIFIED).orElse("-"))
                + " |\n";
    }

    private static String signature(Preset preset) {
        String kind = preset.line(Preset.SCHEME)
                .filter(it -> !it.equals("header"))
                .orElseGet(() -> preset.line("signature-algorithm").orElse("") + " of "
                        + code(preset.line("signed-content")).orElse("the body"));
        String header = code(preset.line("signature-header").or(() -> preset.line(Preset.TOKEN_AT)))
                .map(it -> " in " + it)
                .orElse("");
        String tolerance = preset.line("tolerance").map(it -> ", ± " + it).orElse("");
        return kind
                + header
                + tolerance
                + preset.line(Preset.NOTE).map(it -> ". **" + it + "**").orElse("");
    }

    private static String handshake(Preset preset) {
        boolean asks = preset.line(Preset.HANDSHAKE).isPresent()
                || preset.line(Preset.CHALLENGE).isPresent();
        String asked = asks ? "answered; " : "";
        return asked
                + code(preset.line("event-key")).map(it -> "events by " + it).orElse("no event key");
    }

    private static Optional<String> code(Optional<String> text) {
        return text.map(it -> "`" + it.replace("|", "\\|") + "`");
    }
}
