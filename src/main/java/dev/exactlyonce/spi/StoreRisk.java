package dev.exactlyonce.spi;

/**
 * What may weaken a store's guarantee while the store itself is available. Readiness shows it until it ends.
 *
 * <pre>{@code
 * context.raise(StoreRisk.MAY_EVICT, "example store may evict claims", "set its eviction policy to none");
 * }</pre>
 *
 * @see StoreContext#raise
 * @since 0.1.0
 */
public enum StoreRisk {
    /** Another application uses the same keys: its records answer deliveries that never ran here. */
    SHARED_KEYS,
    /** A record was removed before its TTL ended. */
    RECORD_REMOVED,
    /** The store may remove claims or records at any time, for example because it evicts keys when it is full. */
    MAY_EVICT,
    /** The store does not permit a check for lost keys. */
    UNOBSERVABLE
}
