package dev.exactlyonce.config;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Forwarding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads which sources are relayed. */
final class ForwardingReader {
    private final ConfigReader all;
    private final Map<String, Endpoint> endpoints;

    /** @param endpoints those that are sound */
    ForwardingReader(ConfigReader all, Map<String, Endpoint> endpoints) {
        this.all = all;
        this.endpoints = endpoints;
    }

    /** @param bodies the largest body of each source */
    Forwarding read(Map<String, Integer> bodies) {
        Map<String, Forwarding.Target> targets = new LinkedHashMap<>();
        bodies.forEach((source, largest) ->
                target(all.of(source, Map.of()), largest).ifPresent(it -> targets.put(source, it)));
        return new Forwarding(targets);
    }

    private Optional<Forwarding.Target> target(ConfigReader values, int largest) {
        Optional<String> endpoint = values.find(PerSourceSettings.FORWARD_TO);
        List<String> headers = values.find(PerSourceSettings.FORWARD_HEADERS).orElse(List.of());
        if (endpoint.isEmpty()) {
            values.refuse(List.of(PerSourceSettings.FORWARD_HEADERS), "counts beside forward-to alone");
            return Optional.empty();
        }
        Endpoint known = endpoints.get(endpoint.get());
        if (known == null) {
            values.problem(
                    PerSourceSettings.FORWARD_TO,
                    "names no endpoint that is declared and sound; there are: "
                            + String.join(", ", endpoints.keySet()));
            return Optional.empty();
        }
        if (known.maxBodySize() < largest) {
            values.problem(
                    PerSourceSettings.FORWARD_TO,
                    "the endpoint takes bodies of " + known.maxBodySize() + " bytes, and this source's may have "
                            + largest + "; make max-body-size of the two agree");
        }
        return Optional.of(new Forwarding.Target(known.name(), headers));
    }
}
