package dev.exactlyonce.source;

import java.util.Optional;
import java.util.stream.Collectors;

/** The reference table of the presets, as {@code doc/sources.md} has it. */
final class PresetTable {
    private static final String HEAD = """
            | preset | key | signature | retries | TTL, lease | answers | handshake, events | the secret is |
            |---|---|---|---|---|---|---|---|
            """;

    private PresetTable() {}

    static String text() {
        return Preset.NAMES.stream()
                .map(name -> row(Preset.find(name).orElseThrow()))
                .collect(Collectors.joining("", HEAD, ""));
    }

    private static String row(Preset preset) {
        return String.format(
                "| `%s`: %s | %s | %s | %s | %s | %s | %s | %s |\n",
                preset.name(),
                preset.line("docs")
                        .map(it -> "[" + preset.title() + "](" + it + ")")
                        .orElse(preset.title()),
                code(preset.line("key")).orElse("yours")
                        + preset.line(Preset.KEY_IS).map(it -> ": " + it).orElse(""),
                signature(preset),
                preset.line(Preset.RETRY_WINDOW).map(it -> "within " + it).orElse("not known"),
                preset.line("ttl").orElse("yours")
                        + preset.line("lease").map(it -> ", " + it).orElse(""),
                "200; " + preset.line("in-flight-status").orElse("409"),
                handshake(preset),
                preset.line(Preset.SECRET_IS).orElse(""));
    }

    private static String signature(Preset preset) {
        String kind = preset.line(Preset.SCHEME)
                .filter(it -> !it.equals("header"))
                .orElseGet(() -> preset.line("signature-algorithm").orElse("") + " of "
                        + code(preset.line("signed-content")).orElse("the body"));
        String header =
                code(preset.line("signature-header")).map(it -> " in " + it).orElse("");
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
