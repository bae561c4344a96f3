package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.DocumentedTable;
import org.junit.jupiter.api.Test;

class PresetTableTest {
    @Test
    void theDocumentsTableIsTheOneOfThePresets() throws Exception {
        assertThat(DocumentedTable.in("doc/sources.md", "presets")).isEqualTo(PresetTable.text());
    }

    @Test
    void everyPresetHasARowOfEightCells() {
        assertThat(PresetTable.text().lines())
                .hasSize(Preset.NAMES.size() + 2)
                .allMatch(it ->
                        it.replace("\\|", "").chars().filter(c -> c == '|').count() == 9);
    }
}
