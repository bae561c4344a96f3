package dev.exactlyonce.admission;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;

/**
 * The store as the engine sees it: a store whose records and releases are kept while it is away, and repeated in the
 * background. {@code record} then answers {@code Pending}, and {@code release} does not throw.
 */
public interface GuardedStore extends IdempotencyStore {
    /**
     * Leaves the release to the background: for a claim that a store which could not be reached may have granted. The sender
     * does not wait for it.
     */
    void releaseLater(Claim claim);

    /** The work was given up, or its claim is not renewed any more: nothing follows for it, and its lease ends it. */
    void abandon(Claim claim);

    /** Claims in the transaction of a handler. */
    default TransactionalClaims transactional() {
        return TransactionalClaims.NONE;
    }

    /** Whether the claim is in the store that all replicas ask: only there is it known to be the only one. */
    boolean isShared(Claim claim);
}
