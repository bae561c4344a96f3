package dev.exactlyonce.admission;

import java.util.Optional;

/** A store of this replica alone that can stand in for a shared one, and be asked for what it knows afterwards. */
public interface FallbackStore extends IdempotencyStore {
    /** What a claim on this key would be refused with, without claiming it; empty when the key is absent. */
    Optional<Reservation> find(DeliveryKey key);

    /** Whether no claim and no record is left that has not ended. */
    boolean isEmpty();
}
