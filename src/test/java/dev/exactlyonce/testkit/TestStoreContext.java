package dev.exactlyonce.testkit;

import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.StoreContext;
import dev.exactlyonce.spi.StoreRisk;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The context of a store in a test: keeps what the store reports. Thread-safe. */
public final class TestStoreContext implements StoreContext {
    private final InstantSource clock;
    private final Map<StoreRisk, String> risks = Collections.synchronizedMap(new EnumMap<>(StoreRisk.class));
    private final List<String> losses = Collections.synchronizedList(new ArrayList<>());

    public TestStoreContext(InstantSource clock) {
        this.clock = clock;
    }

    /** The reasons of the risks that are reported now. */
    public Map<StoreRisk, String> risks() {
        return Map.copyOf(risks);
    }

    /** The reasons with which lost claims were reported. */
    public List<String> losses() {
        return List.copyOf(losses);
    }

    @Override
    public String applicationName() {
        return "test";
    }

    @Override
    public Duration longestRetention() {
        return Duration.ofHours(25);
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public void raise(StoreRisk risk, String reason, String hint) {
        risks.put(risk, reason);
    }

    @Override
    public void raiseUntil(StoreRisk risk, String reason, String hint, Instant until) {
        risks.put(risk, reason);
    }

    @Override
    public void clear(StoreRisk risk) {
        risks.remove(risk);
    }

    @Override
    public void claimsMayBeLost(String reason, String hint) {
        losses.add(reason);
    }

    @Override
    public IdempotencyStore inMemoryInstead(String reason, String hint) {
        throw new AssertionError("the store cannot be opened: " + reason);
    }
}
