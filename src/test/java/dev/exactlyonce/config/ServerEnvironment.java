package dev.exactlyonce.config;

import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** The environment as Open Liberty's MicroProfile Config answers for it, with the upper case of the default locale. */
record ServerEnvironment(Map<String, String> variables) implements ConfigSource {
    @Override
    public Set<String> getPropertyNames() {
        return variables.keySet();
    }

    @Override
    @SuppressWarnings("StringCaseLocaleUsage") // the server's own fault is what is tested against
    public String getValue(String name) {
        String underscores = name.replaceAll("[^A-Za-z0-9]", "_");
        if (variables.containsKey(name)) {
            return variables.get(name);
        }
        return variables.containsKey(underscores)
                ? variables.get(underscores)
                : variables.get(underscores.toUpperCase());
    }

    @Override
    public int getOrdinal() {
        return 300;
    }

    @Override
    public String getName() {
        return "the environment";
    }
}
