package dev.exactlyonce.turn;

import java.time.Duration;
import java.util.List;

/**
 * Where turns are kept: for each session its holder, and those that wait for it in the order of their arrival.
 *
 * <p>What an implementation must guarantee:
 *
 * <ul>
 *   <li>Each operation is one atomic step, decided in the store and by the store's clock.
 *   <li>A session has at most one holder before the end of its TTL. Only the holder's token renews or releases it.
 *   <li>A released session is offered to the first that waits: the session is that one's for a short time, in which it takes
 *       it. Those whose time to wait has ended are passed over.
 *   <li>A failure is a {@link dev.exactlyonce.spi.StoreUnavailableException} within a bounded time; the operation may or may
 *       not have been applied, and repeating it is safe.
 *   <li>All methods may be called from any thread.
 * </ul>
 */
public interface TurnStore extends AutoCloseable {
    /** For how long a released session is kept for the one to which it is offered. */
    Duration OFFER = Duration.ofSeconds(2);

    /** Hears which tokens should ask again. */
    interface WakeUps {
        /** The session is offered to this token. */
        void offered(String token);

        /** This token is the next but one: it asks again when an offer has not been taken in time. */
        void next(String token);

        /** Messages may have been lost: every token asks again. */
        void all();
    }

    /** Takes the session, or enters the token among those that wait. A holder that asks again keeps its fence. */
    TakeReply take(TurnRequest request);

    /**
     * Frees the session if the token holds it, or was offered it, and offers it to the next; else ends its waiting.
     *
     * @return whether the session was freed
     */
    boolean release(TurnRequest request);

    /**
     * Starts the TTL of each turn anew where the token holds the session, or where it is free and nobody has held it since;
     * all of them in one call to the store.
     *
     * @return an answer for each turn, in their order
     * @throws dev.exactlyonce.spi.StoreUnavailableException when there is an answer for none of them
     */
    List<TurnRenewal> renewAll(List<TakenTurn> turns);

    /** Proves with a write that the store can be written. */
    void probe();

    /** Sets who hears of offers; called once, before the first request. */
    void listen(WakeUps listener);

    @Override
    void close();
}
