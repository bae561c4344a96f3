package dev.exactlyonce.config;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads the sending side's settings. */
final class SendingReader {
    /** What each brings, and its Maven coordinates. */
    private static final Map<String, String> NEEDED = Map.of(
            "org.apache.hc.client5.http.impl.classic.HttpClients", "org.apache.httpcomponents.client5:httpclient5");

    private final ConfigReader values;
    private final Predicate<String> isThere;

    /** @param isThere whether the application brings a class */
    SendingReader(ConfigReader values, Predicate<String> isThere) {
        this.values = values;
        this.isThere = isThere;
    }

    /** The declared endpoints' names. */
    Set<String> declared() {
        return values.find(SendingSettings.ENDPOINTS).orElse(Set.of());
    }

    /** @param bodies the largest body of each source */
    SenderConfiguration read(Set<String> names, Map<String, Integer> bodies, SqliteReader sqlite) {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        names.forEach(name -> new EndpointReader(values, name).read(name).ifPresent(it -> endpoints.put(name, it)));
        Optional<String> dataSource = values.find(SendingSettings.DATA_SOURCE);
        if (dataSource.isPresent()) {
            values.refuse(List.of(SendingSettings.SQLITE_PATH), "has no effect beside a data source; remove one");
        }
        if (!names.isEmpty()) {
            NEEDED.forEach(this::require);
        }
        Optional<SqliteSettings> file = names.isEmpty() || dataSource.isPresent() ? Optional.empty() : sqlite.read();
        SenderSettings settings = new SenderSettings(
                endpoints, values.get(SendingSettings.REPLAY_WINDOW), values.get(SendingSettings.RETENTION));
        return new SenderConfiguration(
                settings, new ForwardingReader(values, endpoints).read(bodies), dataSource, file);
    }

    private void require(String type, String coordinates) {
        if (!isThere.test(type)) {
            values.problem(
                    SendingSettings.ENDPOINTS,
                    "sending needs " + coordinates + ", which is not in the application; add it to its dependencies");
        }
    }
}
