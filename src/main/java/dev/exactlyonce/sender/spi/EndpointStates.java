package dev.exactlyonce.sender.spi;

import java.util.Map;

/**
 * The port behind which disabled endpoints are kept, over restarts and for all replicas that share the store.
 *
 * @since 0.1.0
 */
public interface EndpointStates {
    /** Stops sending there until the endpoint is enabled. */
    void disable(String endpoint, String reason);

    /** False when it was not disabled. */
    boolean enable(String endpoint);

    /** The disabled endpoints, and why. */
    Map<String, String> disabled();
}
