package dev.exactlyonce.sender;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The endpoints, and how long keys and dead letters count.
 *
 * <pre>{@code
 * SenderSettings settings = SenderSettings.of(List.of(crm, shop)); // default windows
 * }</pre>
 *
 * @param endpoints by their names
 * @param replayWindow since an event's first attempt: an older dead letter is replayed by force alone; 1 s to 3650 days
 * @param retention how long the key of a delivered or discarded event stays known; 1 s to 3650 days
 * @since 0.1.0
 */
public record SenderSettings(Map<String, Endpoint> endpoints, Duration replayWindow, Duration retention) {
    public static final Duration DEFAULT_REPLAY_WINDOW = Duration.ofHours(24);
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);
    public static final Duration SHORTEST = Duration.ofSeconds(1);
    public static final Duration LONGEST = Duration.ofDays(3650);

    public SenderSettings {
        endpoints = Map.copyOf(endpoints);
        require("replay-window", replayWindow);
        require("retention", retention);
    }

    /** Replay window and retention of 24 hours. */
    public static SenderSettings of(List<Endpoint> endpoints) {
        Map<String, Endpoint> byName = new LinkedHashMap<>();
        endpoints.forEach(it -> byName.put(it.name(), it));
        return new SenderSettings(byName, DEFAULT_REPLAY_WINDOW, DEFAULT_RETENTION);
    }

    private static void require(String name, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is PT1S to P3650D, was " + value);
        }
    }

    /** @throws IllegalArgumentException when no endpoint of that name is declared */
    public Endpoint endpoint(String name) {
        Endpoint endpoint = endpoints.get(name);
        if (endpoint == null) {
            throw new IllegalArgumentException(
                    "no endpoint of that name is declared; see exactlyonce.sender.endpoints");
        }
        return endpoint;
    }
}
