package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.DocumentedTable;
import org.junit.jupiter.api.Test;

class SettingTableTest {
    @Test
    void theDocumentedTableOfSettingsIsTheOneOfTheCode() throws Exception {
        assertThat(DocumentedTable.in("doc/configuration.md", "settings")).isEqualTo(Setting.table());
    }

    @Test
    void everySettingHasARowOfFourCells() {
        assertThat(Setting.table().lines())
                .hasSize(Setting.values().length + 2)
                .allMatch(it ->
                        it.replace("\\|", "").chars().filter(c -> c == '|').count() == 5);
    }
}
