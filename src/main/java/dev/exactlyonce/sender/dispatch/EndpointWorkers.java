package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.SenderControl;
import dev.exactlyonce.sender.SenderEvent;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The workers of all declared endpoints. Thread-safe. */
final class EndpointWorkers {
    private static final long LONGEST_CLOSE_NANOS =
            Endpoint.ANSWER_WITHIN.plusSeconds(2).toNanos();

    private final SenderSettings settings;
    private final EventPublisher publisher;
    private final LongSupplier nanoTime;
    private final Map<String, EndpointWorker> byName = new LinkedHashMap<>();

    EndpointWorkers(SenderBuilder parts, EventPublisher publisher) {
        this.settings = parts.settings;
        this.publisher = publisher;
        this.nanoTime = parts.nanoTime;
        settings.endpoints().values().forEach(it -> byName.put(it.name(), worker(it, parts.circuits())));
    }

    private EndpointWorker worker(Endpoint endpoint, EndpointCircuitBreaker.Factory circuits) {
        String name = endpoint.name();
        return new EndpointWorker(
                endpoint,
                circuits.of(endpoint, state -> publisher.publish(new SenderEvent.CircuitChanged(name, state))));
    }

    Set<String> names() {
        return byName.keySet();
    }

    Optional<EndpointWorker> find(String endpoint) {
        return Optional.ofNullable(byName.get(endpoint));
    }

    /** @throws IllegalArgumentException when no endpoint of that name is declared */
    EndpointWorker of(String endpoint) {
        settings.endpoint(endpoint);
        return Objects.requireNonNull(byName.get(endpoint));
    }

    /** As {@link SenderControl#endpoints}. */
    Map<String, String> states(DisabledEndpoints disabled) {
        Map<String, String> states = new TreeMap<>();
        byName.forEach((name, worker) -> states.put(
                name,
                disabled.contains(name)
                        ? "disabled"
                        : worker.circuit()
                                .state()
                                .name()
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-')));
        return states;
    }

    /** Lets running attempts end, together for a little longer than one attempt takes. */
    void close() {
        long deadline = nanoTime.getAsLong() + LONGEST_CLOSE_NANOS;
        try {
            for (EndpointWorker worker : byName.values()) {
                worker.close(Math.max(0, deadline - nanoTime.getAsLong()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
