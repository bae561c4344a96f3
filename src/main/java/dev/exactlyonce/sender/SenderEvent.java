package dev.exactlyonce.sender;

/**
 * What happened to an event or an endpoint, fired as a CDI event, and passed to a {@link SenderListener} elsewhere. Observers
 * must be quick: they are called on the sender's own threads.
 *
 * <pre>{@code
 * void onDeadLetter(@Observes SenderEvent.DeadLettered event) {
 *     alert(event.endpoint() + ": " + event.error());
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public sealed interface SenderEvent {
    String endpoint();

    /** The receiver took the event. */
    record Delivered(String endpoint, EventKey key, int attempt) implements SenderEvent {}

    /** The attempt failed, and another one follows. */
    record Retrying(String endpoint, EventKey key, int attempt, String outcome) implements SenderEvent {}

    /** The event is in the dead-letter queue. */
    record DeadLettered(String endpoint, EventKey key, String error) implements SenderEvent {}

    /** The event was given up, as its endpoint's guarantee allows. */
    record Dropped(String endpoint, EventKey key, String outcome) implements SenderEvent {}

    /** The endpoint answered 410: nothing more is sent there until it is enabled. */
    record Disabled(String endpoint) implements SenderEvent {}

    /** The endpoint's circuit breaker changed. */
    record CircuitChanged(String endpoint, CircuitState state) implements SenderEvent {}
}
