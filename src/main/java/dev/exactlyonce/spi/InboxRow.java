package dev.exactlyonce.spi;

/**
 * One handler's share of a delivery in the inbox.
 *
 * <pre>{@code
 * boolean mayHaveRun = row.previous() == InboxRow.PreviousRun.LEASE_EXPIRED;
 * }</pre>
 *
 * @param id of the row, never used again
 * @param key the delivery's idempotency key, as the store holds it
 * @param handler the handler's name
 * @param owner the token of its run
 * @param attempt of this run, from 1
 * @param previous how the run before ended
 * @param fence the fencing token of this run: larger than that of every earlier claim of the key
 * @param receivedAt when the delivery was stored, in milliseconds since 1970 by the store's clock
 * @since 0.1.0
 */
public record InboxRow(
        long id,
        String key,
        String handler,
        String owner,
        int attempt,
        PreviousRun previous,
        long fence,
        long receivedAt,
        StoredDelivery delivery) {
    /** How the run before ended. */
    public enum PreviousRun {
        /** This is the first. */
        NONE,
        /** The handler failed. */
        FAILED,
        /** It was not heard of: its process may have died before, within or after its effects. */
        LEASE_EXPIRED
    }
}
