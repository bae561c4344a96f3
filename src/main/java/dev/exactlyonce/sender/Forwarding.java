package dev.exactlyonce.sender;

import dev.exactlyonce.sender.wire.RequestHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which sources are forwarded, and where to.
 *
 * <pre>{@code
 * forwarding.of("github").ifPresent(target -> sender.send(target.endpoint(), event));
 * }</pre>
 *
 * @param targets by the source's name
 * @since 0.1.0
 */
public record Forwarding(Map<String, Target> targets) {
    public Forwarding {
        targets = Map.copyOf(targets);
    }

    public Optional<Target> of(String source) {
        return Optional.ofNullable(targets.get(source));
    }

    /**
     * Where to, and with what.
     *
     * @param endpoint the name of a declared endpoint
     * @param headers the delivery's headers that go with it, besides {@code Content-Type}
     */
    public record Target(String endpoint, List<String> headers) {
        public Target {
            headers = List.copyOf(headers);
            headers.forEach(RequestHeaders::checkedName);
        }
    }
}
