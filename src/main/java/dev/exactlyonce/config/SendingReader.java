package dev.exactlyonce.config;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sqlite.SqliteSettings;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the sending side's settings. */
final class SendingReader {
    /** What each brings, and its Maven coordinates. */
    private static final Map<String, String> NEEDED = Map.of(
            "org.apache.hc.client5.http.impl.classic.HttpClients", "org.apache.httpcomponents.client5:httpclient5");

    private static final Pattern JNDI_NAME = Pattern.compile("[A-Za-z0-9:/._-]{1,200}");

    private final ConfigReader values;
    private final Predicate<String> isThere;

    /** @param isThere whether the application brings a class */
    SendingReader(ConfigReader values, Predicate<String> isThere) {
        this.values = values;
        this.isThere = isThere;
    }

    /** The declared endpoints' names. */
    Set<String> declared() {
        return values.read(SenderSetting.ENDPOINTS, Set.of(), text -> {
            Set<String> names = Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .collect(Collectors.toCollection(TreeSet::new));
            names.stream().filter(it -> !Endpoint.isName(it)).findFirst().ifPresent(name -> {
                throw ConfigReader.notAllowed(name, SenderSetting.ENDPOINTS.allowed());
            });
            return names;
        });
    }

    /** @param bodies the largest body of each source */
    SenderConfiguration read(Set<String> names, Map<String, Integer> bodies, SqliteReader sqlite) {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        names.forEach(name -> new EndpointReader(values, name).read(name).ifPresent(it -> endpoints.put(name, it)));
        Optional<String> dataSource = values.read(SenderSetting.DATA_SOURCE, Optional.empty(), text -> {
            if (!JNDI_NAME.matcher(text).matches()) {
                throw new IllegalArgumentException("is not a valid JNDI name, such as jdbc/outbox");
            }
            return Optional.of(text);
        });
        if (dataSource.isPresent()) {
            values.refuse(List.of(SenderSetting.SQLITE_PATH), "has no effect beside a data source; remove one");
        }
        if (!names.isEmpty()) {
            NEEDED.forEach(this::require);
        }
        Optional<SqliteSettings> file = names.isEmpty() || dataSource.isPresent() ? Optional.empty() : sqlite.read();
        SenderSettings settings = new SenderSettings(
                endpoints,
                values.duration(
                        SenderSetting.REPLAY_WINDOW,
                        SenderSettings.DEFAULT_REPLAY_WINDOW,
                        SenderSettings.SHORTEST,
                        SenderSettings.LONGEST),
                values.duration(
                        SenderSetting.RETENTION,
                        SenderSettings.DEFAULT_RETENTION,
                        SenderSettings.SHORTEST,
                        SenderSettings.LONGEST));
        return new SenderConfiguration(
                settings, new ForwardingReader(values, endpoints).read(bodies), dataSource, file);
    }

    private void require(String type, String coordinates) {
        if (!isThere.test(type)) {
            values.problem(
                    SenderSetting.ENDPOINTS,
                    "sending needs " + coordinates + ", which is not in the application; add it to its dependencies");
        }
    }
}
