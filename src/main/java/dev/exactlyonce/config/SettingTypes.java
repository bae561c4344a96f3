package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Types that several settings have. */
final class SettingTypes {
    private static final String NAMES = "names `[a-z][a-z0-9-]{0,62}`, separated by commas";

    private static final String HEADER = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}";

    /** The name of one header. */
    static final SettingType<String> HEADER_NAME = SettingType.text("a header's name", Pattern.compile(HEADER));

    private SettingTypes() {}

    /** The names of sources or endpoints; a comma at the end is ignored. */
    static SettingType<Set<String>> names(Predicate<String> isName) {
        SettingType<String> name =
                SettingType.of(NAMES, text -> Optional.of(text).filter(isName));
        return SettingType.of(
                NAMES,
                text -> Optional.of(Arrays.stream(text.split(","))
                        .map(String::strip)
                        .map(name::parse)
                        .collect(Collectors.toCollection(TreeSet::new))));
    }

    /** What was separated by commas, with empty elements. */
    static List<String> elements(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }
}
