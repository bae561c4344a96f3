package dev.exactlyonce.admission;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The engine's view of the store, through the guard: the store's operations, with what it did not take owed and
 * repeated in the background.
 */
public interface GuardedStore {
    /**
     * @throws StoreUnavailableException when no store answered in time; the claim may have been written
     */
    Reservation reserve(Claim claim);

    /**
     * What is known of the key, without claiming it; empty when it is absent.
     *
     * @throws StoreUnavailableException when it cannot be asked
     */
    Optional<Reservation> find(DeliveryKey key);

    /**
     * Renews the claims together. What the store did not answer is missing from the map; the claim may have been renewed.
     */
    Map<Claim, Renewal> renew(List<Claim> claims);

    /** Records now, or owes the record until the store takes it. */
    Kept record(Claim claim, RecordedAnswer answer, Duration ttl);

    /** Releases now, or owes the release until the lease ends. Only for work that has ended, or never began. */
    void release(Claim claim);

    /**
     * Owes the release from the start: for a claim that a store which could not be reached may have granted. It costs
     * the sender no further wait.
     */
    void releaseLater(Claim claim);

    /** The work was given up on, or its claim is renewed no more: nothing follows for it, and it stays to its lease's end. */
    void abandon(Claim claim);

    /** Whether the claim is in the store that all replicas ask: only there can it be known to be the only one. */
    boolean isShared(Claim claim);

    /** What became of a record, seen through the guard. */
    sealed interface Kept {
        /** In the store. */
        record InStore() implements Kept {}

        /** Not in the store yet; a success all the same. */
        record Owed() implements Kept {}

        /** Another owner took the key. */
        record NotOwned(Recording.OwnedByAnother by) implements Kept {}

        default <A> A fold(Function<InStore, A> inStore, Function<Owed, A> owed, Function<NotOwned, A> superseded) {
            if (this instanceof InStore it) {
                return inStore.apply(it);
            }
            if (this instanceof Owed it) {
                return owed.apply(it);
            }
            return superseded.apply((NotOwned) this);
        }
    }
}
