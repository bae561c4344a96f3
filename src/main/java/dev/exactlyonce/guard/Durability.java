package dev.exactlyonce.guard;

import java.util.Optional;

/**
 * How durable the deduplication is now: what the readiness check says. Thread-safe.
 *
 * @param application the application's name
 * @param configured the store that is configured
 * @param downWhenDegraded whether a degraded guarantee takes the replica out
 */
public record Durability(
        String application, String configured, boolean downWhenDegraded, DegradedFacts facts, StoreGuard guard) {

    /** The store that answers now. */
    public String store() {
        return guard.storeInUse(configured);
    }

    /** Asks a store in an outage whether it is back, at most once a second; then what is still weaker than configured. */
    public Optional<DegradedFact> fact() {
        guard.probe();
        return facts.current();
    }

    /** Whether the replica should get no traffic. */
    public boolean isDown() {
        return facts.stands(DegradedFacts.FactKind.REFUSED)
                || (downWhenDegraded && facts.current().isPresent());
    }
}
