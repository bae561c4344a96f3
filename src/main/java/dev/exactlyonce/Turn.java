package dev.exactlyonce;

/**
 * A session that is held. Close it once, on any thread; closing it again does nothing.
 *
 * <pre>{@code
 * try (Turn turn = turns.take("order:4711")) {
 *     turn.onLost(payment::cancel);
 *     int rows = update("UPDATE orders SET state = ?, fence = ? WHERE id = ? AND fence < ?", state, turn.fence(), id, turn.fence());
 *     if (rows == 0) {
 *         throw new IllegalStateException("a later turn has written already");
 *     }
 * }
 * }</pre>
 *
 * @see TurnLock
 * @since 0.1.0
 */
public interface Turn extends AutoCloseable {
    /** The session, as it was given to {@link TurnLock}. */
    String session();

    /**
     * A fencing token: a number that is greater for each later turn of the session, on whatever replica, and that does not
     * start again when the session was not used for a while. Hand it to what the turn writes to, so that a holder which lost
     * its turn is refused there.
     *
     * <p>Not guaranteed: the order of a turn that was taken while the backend was unavailable, and of turns before and after
     * a loss of the backend's data together with a clock that was set back.
     */
    long fence();

    /**
     * Whether no other replica can hold the session now: the time, by a clock that also runs while this process is stopped,
     * is before the sending of the last confirmed take or renewal plus the TTL. False, too, while the turn is serialised within
     * this replica alone.
     */
    boolean stillHeld();

    /**
     * Runs the action once if the turn is lost before it is closed: another holder has the session, or the TTL ended before a
     * renewal was confirmed. At once when it is lost already.
     *
     * @param action runs on one of a few threads of the module's own, without the request's context; it should not block;
     *     what it throws is logged
     */
    void onLost(Runnable action);

    /** Frees the session for the next one that waits. */
    @Override
    void close();
}
