package dev.exactlyonce.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What a store can use of the application that it is opened for, and where it reports what endangers its keys. All methods
 * return at once and may be called from any thread.
 *
 * <pre>{@code
 * new ExampleStore(values.get(PATH), () -> context.claimsMayBeLost(
 *         "example store was restarted (recent claims may be lost)", "give the store a disk"));
 * }</pre>
 *
 * @since 0.1.0
 */
public interface StoreContext {
    /** The application's name. */
    String applicationName();

    /** The longest time that a row can be needed after it was written: the longest TTL and the longest lease. */
    Duration longestRetention();

    /** A clock that follows the time that passes: setting the machine's wall clock does not move it. */
    InstantSource clock();

    /**
     * Reports a risk. One that is already reported gets the new texts.
     *
     * @param reason what readiness shows; without secrets, addresses and paths
     * @param hint what an operator can do
     */
    void raise(StoreRisk risk, String reason, String hint);

    /** Reports a risk that ends by itself; a later end replaces an earlier one. */
    void raiseUntil(StoreRisk risk, String reason, String hint, Instant until);

    /** Ends a risk; does nothing where it was not reported. */
    void clear(StoreRisk risk);

    /**
     * Reports that acknowledged claims or records may be gone. Readiness shows it for the longest lease, and the records that
     * this replica knows are written to the store again.
     */
    void claimsMayBeLost(String reason, String hint);

    /**
     * An in-memory store, for a provider that cannot open its own store in this application. Readiness shows the reason until
     * the application is redeployed.
     */
    IdempotencyStore inMemoryInstead(String reason, String hint);
}
