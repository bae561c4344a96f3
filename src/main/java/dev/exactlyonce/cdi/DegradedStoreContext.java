package dev.exactlyonce.cdi;

import dev.exactlyonce.config.Settings;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.DegradedFacts.FactKind;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreRisk;
import dev.exactlyonce.store.memory.MemoryStoreProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Turns what a store reports into degraded facts. */
final class DegradedStoreContext implements StoreContext {
    private final Settings settings;
    private final DegradedFacts facts;
    private final InstantSource clock;

    /** A store is first seen after this is set, and a first sight is not a loss. */
    private volatile Runnable restoring = () -> {};

    DegradedStoreContext(Settings settings, DegradedFacts facts, InstantSource clock) {
        this.settings = settings;
        this.facts = facts;
        this.clock = clock;
    }

    /** Sets the action that writes the known records again when claims may be lost. */
    void restoredBy(Runnable action) {
        restoring = action;
    }

    @Override
    public String applicationName() {
        return settings.application();
    }

    @Override
    public Duration longestRetention() {
        return settings.sources().longestTtl().plus(settings.sources().longestLease());
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public void raise(StoreRisk risk, String reason, String hint) {
        facts.raise(factKind(risk), reason, hint);
    }

    @Override
    public void raiseUntil(StoreRisk risk, String reason, String hint, Instant until) {
        facts.raiseUntil(factKind(risk), reason, hint, until);
    }

    @Override
    public void clear(StoreRisk risk) {
        facts.clear(factKind(risk));
    }

    private static FactKind factKind(StoreRisk risk) {
        return switch (risk) {
            case SHARED_KEYS -> FactKind.SHARED;
            case RECORD_REMOVED -> FactKind.FORGOTTEN;
            case MAY_EVICT -> FactKind.MAY_FORGET;
            case UNOBSERVABLE -> FactKind.UNOBSERVED;
        };
    }

    @Override
    public void claimsMayBeLost(String reason, String hint) {
        facts.raiseUntil(
                FactKind.LOST_CLAIMS,
                reason,
                hint,
                clock.instant().plus(settings.sources().longestLease()));
        restoring.run();
    }

    @Override
    public IdempotencyStore inMemoryInstead(String reason, String hint) {
        facts.raise(FactKind.NO_DURABLE_STORE, reason, hint);
        return MemoryStoreProvider.open(this);
    }
}
