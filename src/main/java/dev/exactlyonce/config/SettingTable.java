package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingDefinition;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The documented table of some settings, in Markdown. */
final class SettingTable {
    private SettingTable() {}

    static String of(List<? extends SettingDefinition<?>> settings) {
        return settings.stream()
                .map(SettingTable::row)
                .collect(Collectors.joining(
                        "\n", "| setting | default | allowed | meaning |\n|---|---|---|---|\n", "\n"));
    }

    private static String row(SettingDefinition<?> setting) {
        return String.format(
                Locale.ROOT,
                "| `%s` | %s | %s | %s |",
                setting.name(),
                setting.documentedDefault(),
                setting.type().documentedValues(),
                setting.description());
    }
}
