package dev.exactlyonce.guard;

import dev.exactlyonce.spi.FallbackStore;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The fallback for a configured store that is not there at the start.
 *
 * @param opener opens it; called at most once
 * @param leftOver whether an earlier run may have left rows in it
 * @param rowsLast how long a row can last at most
 * @param standIn how it is named that this store stands in
 * @param outage how it is named that this store is away, too
 */
public record FallbackPlan(
        Supplier<FallbackStore> opener, boolean leftOver, Duration rowsLast, OutageTexts standIn, OutageTexts outage) {}
