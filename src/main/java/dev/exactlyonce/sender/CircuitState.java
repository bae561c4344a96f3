package dev.exactlyonce.sender;

/**
 * A state of an endpoint's circuit breaker.
 *
 * <pre>{@code
 * void onChange(@Observes SenderEvent.CircuitChanged event) {
 *     if (event.state() == CircuitState.OPEN) {
 *         alert(event.endpoint());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public enum CircuitState {
    /** Attempts are made. */
    CLOSED,
    /** No attempt is made; due events are dead-lettered. */
    OPEN,
    /** One event probes whether the endpoint is back. */
    HALF_OPEN
}
