package dev.exactlyonce.spi;

import java.time.Duration;
import java.util.List;

/**
 * Keeps the inbox: deliveries that were answered before their handlers ran. It belongs to an {@link IdempotencyStore} and shares
 * its clock and its commits.
 *
 * <pre>
 *   store          claim                done, or drop
 *   ──────▶ due ──────────▶ running ─────────────────▶ (no row)
 *            ▲               │    │          park
 *            ├──retry────────┤    └──────────────────▶ parked
 *            └──the lease ends                          │
 *            ▲──────────────────run again───────────────┘
 * </pre>
 *
 * <pre>{@code
 * for (InboxRow row : inbox.claim("billing", owner, Duration.ofMinutes(15), 10)) {
 *     handler.handle(row);
 *     inbox.done(row);
 * }
 * }</pre>
 *
 * <p>What an implementation must guarantee, beside what {@link IdempotencyStore} says of each operation:
 *
 * <ul>
 *   <li>{@link #store} is one commit: the record of the key, the delivery and a row for each handler, or nothing.
 *   <li>A row is run by one owner at a time, and of the rows of one key one at a time.
 *   <li>Only the owner of a running row changes it; every operation says whether it was.
 *   <li>A row that was never done, dropped or parked comes back.
 * </ul>
 *
 * @since 0.1.0
 */
public interface InboxStore {
    /**
     * Records the key and stores the delivery, in one commit, where the key is absent.
     *
     * @param claim its fingerprint and owner token are those of the record; its lease is not used
     * @param handlers the names of the handlers, each with a row of its own; with none, the delivery is kept without a row
     * @param ttl how long the key is recorded
     * @return Granted when it is stored, or was by an earlier attempt of the same claim; else why the key is taken
     */
    Reservation store(Claim claim, StoredDelivery delivery, List<String> handlers, Duration ttl);

    /**
     * Claims rows of a source that are due, the longest due first; counts the attempt of each.
     *
     * @param owner the owner token of this run
     * @param lease how long a row stays with its owner, unless it is renewed
     * @param most how many rows at most
     */
    List<InboxRow> claim(String source, String owner, Duration lease, int most);

    /** Starts the row's lease anew; false when it is another owner's by now, or gone. */
    boolean renew(InboxRow row, Duration lease);

    /** Removes the row, and the delivery with its last one; false as {@link #renew}. */
    boolean done(InboxRow row);

    /** Gives the row back, due after the delay; false as {@link #renew}. */
    boolean retry(InboxRow row, Duration delay);

    /** Keeps the row, never due by itself; false as {@link #renew}. */
    boolean park(InboxRow row);

    /** The parked rows of all sources, the oldest first; their bodies are not read. */
    List<InboxRow> parked(int most);

    /** Makes a parked row due, with its attempts at 0; false when it is not parked. */
    boolean runAgain(long id);

    /** Removes a parked row; false when it is not parked. */
    boolean drop(long id);
}
