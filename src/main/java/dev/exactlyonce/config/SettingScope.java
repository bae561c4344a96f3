package dev.exactlyonce.config;

import dev.exactlyonce.spi.SettingDefinition;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Settings that each source, or each endpoint, has for itself: in the definition's name {@code <name>} stands for it. */
final class SettingScope {
    /** What every setting's name begins with. */
    static final String PREFIX = "exactlyonce.";

    static final String SOURCE = "exactlyonce.source.";
    static final String ENDPOINT = "exactlyonce.sender.endpoint.";

    private static final String OWNER = "<name>";

    private SettingScope() {}

    /** The name of a setting of each source. */
    static String ofSource(String key) {
        return SOURCE + OWNER + "." + key;
    }

    /** The name of a setting of each endpoint. */
    static String ofEndpoint(String key) {
        return ENDPOINT + OWNER + "." + key;
    }

    /** What follows the name of the source or endpoint; the whole name of another setting. */
    static String key(SettingDefinition<?> setting) {
        return setting.name().replaceFirst("^.*" + OWNER + "\\.", "");
    }

    /** The name of the setting of this source or endpoint. */
    static String name(SettingDefinition<?> setting, String owner) {
        return setting.name().replace(OWNER, owner);
    }

    /** The names of these settings of all these sources or endpoints. */
    static Stream<String> names(List<SettingDefinition<?>> settings, Collection<String> owners) {
        return owners.stream().flatMap(owner -> settings.stream().map(it -> name(it, owner)));
    }
}
