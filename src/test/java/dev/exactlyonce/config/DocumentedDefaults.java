package dev.exactlyonce.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.SettingDefinition;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The defaults of the documented tables. */
final class DocumentedDefaults {
    private static final Pattern VALUE = Pattern.compile("(?:.* )?`([^`]*)`");

    private DocumentedDefaults() {}

    /** Writes down the default of a setting that has one, after a check that its documentation parses to it. */
    static <T> void put(SettingDefinition<T> setting, String owner, Map<String, String> written) {
        setting.defaultValue().ifPresent(it -> {
            Matcher documented = VALUE.matcher(setting.documentedDefault());
            assertThat(documented.matches()).as(setting.documentedDefault()).isTrue();
            String text = documented.group(1).replace("\\|", "|");
            assertThat(setting.parse(text))
                    .as(setting.name())
                    .usingRecursiveComparison()
                    .isEqualTo(it);
            written.put(SettingScope.name(setting, owner), text);
        });
    }
}
