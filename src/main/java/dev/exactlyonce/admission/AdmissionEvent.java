package dev.exactlyonce.admission;

/**
 * What happened to a delivery: fired as a CDI event, so that an application may count or audit. {@link #key()} is the
 * store's key in full; {@link DeliveryKey#toString()} is its digest, for logs.
 */
public sealed interface AdmissionEvent {
    /** The source's name. */
    String source();

    DeliveryKey key();

    /** The handler is about to run; {@code bestEffort} when the store could not be asked. */
    record Admitted(String source, DeliveryKey key, boolean bestEffort) implements AdmissionEvent {}

    /** The handler's outcome was recorded; {@code owed} when the store has yet to take it. */
    record Recorded(String source, DeliveryKey key, int status, boolean owed) implements AdmissionEvent {}

    /** The handler failed and the key was freed for the sender's retry. */
    record Released(String source, DeliveryKey key, int status) implements AdmissionEvent {}

    /** The handler was given up on and may still run: its claim stays to the lease's end. */
    record Unfinished(String source, DeliveryKey key) implements AdmissionEvent {}

    /** The handler ended after its lease, and another owner had taken the key. */
    record Superseded(String source, DeliveryKey key) implements AdmissionEvent {}

    /** A copy of a recorded delivery. */
    record Duplicate(String source, DeliveryKey key, int status) implements AdmissionEvent {}

    /** A copy of a delivery that still runs. */
    record InFlight(String source, DeliveryKey key) implements AdmissionEvent {}

    /** The key of an earlier delivery with another body. */
    record OtherBody(String source, DeliveryKey key) implements AdmissionEvent {}

    /** Refused since the store could not be reached. */
    record Unavailable(String source, DeliveryKey key) implements AdmissionEvent {}
}
