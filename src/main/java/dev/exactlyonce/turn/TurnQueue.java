package dev.exactlyonce.turn;

import dev.exactlyonce.TurnTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Takes sessions of one store, and waits for them. Thread-safe. */
final class TurnQueue {
    private final TurnStore store;
    private final LongSupplier ticker;
    private final TurnWaiters waiters;

    TurnQueue(TurnStore store, LongSupplier ticker) {
        this.store = store;
        this.ticker = ticker;
        this.waiters = new TurnWaiters(ticker);
        store.listen(waiters);
    }

    /**
     * A turn that the store has granted.
     *
     * @param askedAt when the confirmed request was sent, on the ticker
     */
    record GrantedTurn(TakenTurn turn, long askedAt) {}

    /**
     * @param until the moment on the ticker at which waiting ends
     * @throws TurnTimeoutException when it was not free in time; nothing is held or waited for
     * @throws dev.exactlyonce.spi.StoreUnavailableException when the store failed; the request may be held or waited for
     */
    GrantedTurn take(TurnRequest request, long until) {
        TurnWaiters.TurnWaiter waiter = waiters.enter(request.token());
        try {
            return take(request, waiter, until);
        } catch (InterruptedException e) {
            store.release(request);
            Thread.currentThread().interrupt();
            throw new TurnTimeoutException("interrupted while waiting for the turn of a session");
        } finally {
            waiters.leave(request.token());
        }
    }

    private GrantedTurn take(TurnRequest request, TurnWaiters.TurnWaiter waiter, long until)
            throws InterruptedException {
        while (true) {
            long askedAt = ticker.getAsLong();
            TakeReply reply = store.take(request);
            if (reply instanceof TakeReply.Taken taken) {
                return new GrantedTurn(new TakenTurn(request, taken.fence()), askedAt);
            }
            long now = ticker.getAsLong();
            if (until - now <= 0) {
                if (!request.longestWait().isZero()) {
                    store.release(request);
                }
                throw new TurnTimeoutException("the session was not free within " + request.longestWait());
            }
            Duration askAgain = ((TakeReply.Queued) reply).askAgain();
            waiter.awaitUntil(Math.min(until - now, askAgain.toNanos()) + now);
        }
    }
}
