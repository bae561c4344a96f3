package dev.exactlyonce.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.DocumentedTable;
import org.junit.jupiter.api.Test;

class PresetTableTest {
    @Test
    void theDocumentsTableIsTheOneOfThePresets() throws Exception {
        assertThat(DocumentedTable.in("doc/sources.md", "presets")).isEqualTo(PresetTable.text());
    }

    /** Prints the tables, for the document. */
    public static void main(String[] args) {
        System.out.print(PresetTable.text());
    }

    @Test
    void everyPresetHasARowOfElevenCells() {
        assertThat(PresetTable.text().lines().filter(it -> it.startsWith("|")))
                .hasSize(Preset.NAMES.size() + 2 * Preset.GROUPS.size())
                .allMatch(it ->
                        it.replace("\\|", "").chars().filter(c -> c == '|').count() == 12);
    }
}
