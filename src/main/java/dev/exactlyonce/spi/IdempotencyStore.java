package dev.exactlyonce.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the state of every key.
 *
 * <pre>
 *            reserve                      record
 *   absent ───────────▶ in flight ─────────────────────▶ recorded
 *     ▲  ▲              (owner, lease)                    (TTL)
 *     │  │   release, or    │                               │
 *     │  └───the lease ends─┘                               │
 *     └──────────────────────────────the TTL ends───────────┘
 * </pre>
 *
 * <p>What an implementation must guarantee:
 *
 * <ul>
 *   <li>Each operation is one atomic step, decided in the store and by the store's clock.
 *   <li>Only the owner's token lets an operation change a key that is in flight.
 *   <li>A lease or TTL that has ended counts as absent, whether or not its row was purged; zero is a deadline.
 *   <li>A claim never frees a record, and a lease never ends one.
 *   <li>A value of an unknown version is a claim of another owner: in flight, never overwritten before its end.
 *   <li>Every claim that is granted gets a fencing token, at least 1 and larger than that of every earlier claim of its key,
 *       also after a release, the end of a lease or TTL, and a purge; a restart of the store does not begin again. A claim
 *       that is granted once more keeps its token.
 *   <li>Ordinary outcomes are values. A failure is a {@link StoreUnavailableException}, within a bounded time; the
 *       operation may or may not have been applied, and repeating it with the same claim is safe.
 *   <li>All methods may be called from any thread.
 * </ul>
 *
 * <p>{@code IdempotencyStoreContract} and {@code StoreFuzzer} of the test kit check all of this:
 *
 * <pre>{@code
 * class ExampleStoreTest extends IdempotencyStoreContract {
 *     protected IdempotencyStore open(InstantSource clock) {
 *         return new ExampleStore(clock);
 *     }
 * }
 * }</pre>
 *
 * @see StoreProvider
 * @since 0.1.0
 */
public interface IdempotencyStore extends AutoCloseable {
    /**
     * Claims the key when it is absent. A key that holds the claim's own token is granted again: an attempt whose reply
     * was lost sees itself, not a duplicate.
     */
    Reservation reserve(Claim claim);

    /** What a claim on this key would be refused with, without claiming it; empty when the key is absent. */
    Optional<Reservation> find(DeliveryKey key);

    /**
     * Writes the record when the key holds the claim's own token <em>or nothing</em>, and accepts its own record that is
     * already written: the work is done, and a lease that ended unnoticed must not lose that.
     *
     * @param answer the handler's status and, perhaps, its answer: kept as it is, up to some megabytes
     * @param ttl how long the record is kept, from now
     */
    Recording record(Claim claim, RecordedAnswer answer, Duration ttl);

    /**
     * Frees the key when it is in flight under the claim's own token; else does nothing.
     *
     * @return whether the key was freed
     */
    boolean release(Claim claim);

    /**
     * Starts the lease of each claim anew where its key is in flight under the claim's own token or absent, all of them in
     * one call to the store: a replica with thousands of claims renews them together. The claims are atomic one by one,
     * not together; after a failure each may or may not have been renewed. A failure of one key does not affect the others.
     *
     * @return an answer for each claim, in their order
     * @throws StoreUnavailableException when there is an answer for none of them
     */
    List<Renewal> renewAll(List<Claim> claims);

    /** {@link #renewAll} for one. */
    default Renewal renew(Claim claim) {
        return renewAll(List.of(claim)).get(0);
    }

    /** The inbox that is written in this store's commits; empty where the store has none. */
    default Optional<InboxStore> inbox() {
        return Optional.empty();
    }

    /** Proves with a write that the store can be written. */
    void probe();

    /** Ends the store's threads and connections. What was acknowledged is kept. */
    @Override
    void close();
}
