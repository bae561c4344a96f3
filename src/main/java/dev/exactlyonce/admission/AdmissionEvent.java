package dev.exactlyonce.admission;

import dev.exactlyonce.spi.DeliveryKey;

/** What happened to a delivery: fired as a CDI event, so that an application may count or audit. */
public sealed interface AdmissionEvent {
    /** The source's name. */
    String source();

    /** What happened to a delivery that has a key. */
    sealed interface Keyed extends AdmissionEvent {
        /** The store's key in full; its {@link DeliveryKey#toString()} is the digest, for logs. */
        DeliveryKey key();
    }

    /** Refused before the store was asked: too large, not verified, or without a usable key. */
    record Refused(String source, Preparation refusal) implements AdmissionEvent {}

    /** Verified, and no delivery to be admitted: a handshake, or an event that the source does not take. */
    record Answered(String source, Reply reply) implements AdmissionEvent {}

    /** The handler is about to run; {@code bestEffort} when the store could not be asked. */
    record Admitted(String source, DeliveryKey key, boolean bestEffort) implements Keyed {}

    /** The handler's outcome was recorded; {@code owed} when the store has yet to take it. */
    record Recorded(String source, DeliveryKey key, int status, boolean owed) implements Keyed {}

    /** The handler failed and the key was freed for the sender's retry. */
    record Released(String source, DeliveryKey key, int status) implements Keyed {}

    /** The handler was given up on and may still run: its claim stays to the lease's end. */
    record Unfinished(String source, DeliveryKey key) implements Keyed {}

    /** The handler ended after its lease, and another owner had taken the key. */
    record Superseded(String source, DeliveryKey key) implements Keyed {}

    /**
     * The handler still runs and its claim is not certain any more: another owner has the key, or the lease ended before a
     * renewal was confirmed, or before {@code exactlyonce.max-hold} let it be renewed.
     */
    record LeaseLost(String source, DeliveryKey key) implements Keyed {}

    /** A copy of a recorded delivery. */
    record Duplicate(String source, DeliveryKey key, int status) implements Keyed {}

    /** A copy of a delivery that still runs. */
    record InFlight(String source, DeliveryKey key) implements Keyed {}

    /**
     * The id of an earlier delivery with another body, under an id that its sender does not sign: it runs under its id and
     * its body. Somebody may have sent a captured delivery under the id of this one.
     */
    record IdReused(String source, DeliveryKey key) implements Keyed {}

    /** The key of an earlier delivery with another body. */
    record OtherBody(String source, DeliveryKey key) implements Keyed {}

    /** Refused since the store could not be reached. */
    record Unavailable(String source, DeliveryKey key) implements Keyed {}
}
