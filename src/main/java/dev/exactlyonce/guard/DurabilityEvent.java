package dev.exactlyonce.guard;

/** A transition of the degraded facts: fired as a CDI event, from whichever thread saw it. */
public sealed interface DurabilityEvent {
    /** The fact began, or replaced a milder one. */
    record Degraded(DegradedFact fact) implements DurabilityEvent {}

    /** Nothing is weaker than configured any more. */
    record Restored(DegradedFact was) implements DurabilityEvent {}
}
