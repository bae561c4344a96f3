package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingTableTest {
    private static final String FROM = "<!-- settings -->\n";
    private static final String TO = "<!-- /settings -->";

    @Test
    void theReadmesTableOfSettingsIsTheOneOfTheCode() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(readme).containsOnlyOnce(FROM).containsOnlyOnce(TO);
        assertThat(readme.substring(readme.indexOf(FROM) + FROM.length(), readme.indexOf(TO)))
                .isEqualTo(Setting.table());
    }

    @Test
    void everySettingHasARowOfFourCells() {
        assertThat(Setting.table().lines())
                .hasSize(Setting.values().length + 2)
                .allMatch(it ->
                        it.replace("\\|", "").chars().filter(c -> c == '|').count() == 5);
    }
}
