package dev.exactlyonce.turn;

import dev.exactlyonce.spi.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Turns that many replicas share in this process, behind a network that can be cut. */
final class SwitchableTurns implements TurnStore {
    private final TurnStore store;
    final AtomicInteger calls = new AtomicInteger();
    private volatile boolean away;
    private volatile boolean losesReplies;

    SwitchableTurns(TurnStore store) {
        this.store = store;
    }

    void goAway() {
        away = true;
    }

    void comeBack() {
        away = false;
        losesReplies = false;
    }

    /** What is asked is done, and its answer does not arrive. */
    void loseReplies() {
        losesReplies = true;
    }

    private void reach() {
        calls.incrementAndGet();
        if (away) {
            throw new StoreUnavailableException("the store is away");
        }
    }

    private <T> T answered(T answer) {
        if (losesReplies) {
            throw new StoreUnavailableException("the reply is lost");
        }
        return answer;
    }

    @Override
    public TakeReply take(TurnRequest request) {
        reach();
        return answered(store.take(request));
    }

    @Override
    public boolean release(TurnRequest request) {
        reach();
        return answered(store.release(request));
    }

    @Override
    public List<TurnRenewal> renewAll(List<TakenTurn> turns) {
        reach();
        return answered(store.renewAll(turns));
    }

    @Override
    public void probe() {
        reach();
        store.probe();
    }

    @Override
    public void listen(WakeUps listener) {
        store.listen(listener);
    }

    @Override
    public void close() {
        store.close();
    }
}
