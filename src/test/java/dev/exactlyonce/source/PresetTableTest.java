package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PresetTableTest {
    private static final String FROM = "<!-- presets -->\n";
    private static final String TO = "<!-- /presets -->";

    @Test
    void theDocumentsTableIsTheOneOfThePresets() throws Exception {
        String document = Files.readString(Path.of("doc/sources.md"));
        assertThat(document).containsOnlyOnce(FROM).containsOnlyOnce(TO);
        assertThat(document.substring(document.indexOf(FROM) + FROM.length(), document.indexOf(TO)))
                .isEqualTo(PresetTable.text());
    }

    @Test
    void everyPresetHasARowOfEightCells() {
        assertThat(PresetTable.text().lines())
                .hasSize(Preset.NAMES.size() + 2)
                .allMatch(it ->
                        it.replace("\\|", "").chars().filter(c -> c == '|').count() == 9);
    }
}
