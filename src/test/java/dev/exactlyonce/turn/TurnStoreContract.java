package dev.exactlyonce.turn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every backend of the turn lock does. */
public abstract class TurnStoreContract {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofMinutes(5);

    private final BlockingQueue<String> offered = new LinkedBlockingQueue<>();
    private final SessionKey session = SessionKey.of("session:" + UUID.randomUUID());
    private TurnStore store;

    protected abstract TurnStore open();

    /** Ends the TTL of the session as its time would. */
    protected abstract void endTtl(SessionKey ended);

    /** Ends the time to wait of all that wait for the session. */
    protected abstract void endWaiting(SessionKey ended);

    @BeforeEach
    void openStore() {
        store = open();
        store.listen(new TurnStore.WakeUps() {
            @Override
            public void offered(String token) {
                offered.add(token);
            }

            @Override
            public void next(String token) {
                // of interest to those that wait for long
            }

            @Override
            public void all() {
                // those that wait would ask again
            }
        });
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    protected TurnRequest request() {
        return new TurnRequest(session, UUID.randomUUID().toString(), TTL, WAIT);
    }

    private long fence(TurnRequest request) {
        TakeReply reply = store.take(request);
        assertThat(reply).isInstanceOf(TakeReply.Taken.class);
        return ((TakeReply.Taken) reply).fence();
    }

    private Duration waiting(TurnRequest request) {
        TakeReply reply = store.take(request);
        assertThat(reply).isInstanceOf(TakeReply.Queued.class);
        return ((TakeReply.Queued) reply).askAgain();
    }

    private void awaitOfferTo(TurnRequest request) throws InterruptedException {
        assertThat(offered.poll(10, TimeUnit.SECONDS)).isEqualTo(request.token());
    }

    @Test
    void aFreeSessionIsTaken() {
        assertThat(fence(request())).isPositive();
    }

    @Test
    void aHeldSessionHasToBeWaitedForAtMostUntilItsTtlEnds() {
        fence(request());
        assertThat(waiting(request())).isPositive().isLessThanOrEqualTo(TTL);
    }

    @Test
    void otherSessionsAreNotHeld() {
        fence(request());
        TurnRequest other = new TurnRequest(SessionKey.of("other:" + UUID.randomUUID()), "token", TTL, WAIT);
        assertThat(store.take(other)).isInstanceOf(TakeReply.Taken.class);
    }

    @Test
    void aRequestThatIsRepeatedKeepsItsTurnAndItsFence() {
        TurnRequest first = request();
        assertThat(fence(first)).isEqualTo(fence(first));
    }

    @Test
    void aReleasedSessionIsOfferedToTheFirstThatCame() throws InterruptedException {
        TurnRequest holder = request();
        TurnRequest second = request();
        TurnRequest third = request();
        fence(holder);
        waiting(second);
        waiting(third);
        assertThat(store.release(holder)).isTrue();
        awaitOfferTo(second);
        waiting(third);
        fence(second);
        assertThat(store.release(second)).isTrue();
        awaitOfferTo(third);
        fence(third);
    }

    @Test
    void askingAgainKeepsThePlace() throws InterruptedException {
        TurnRequest holder = request();
        TurnRequest second = request();
        fence(holder);
        waiting(second);
        waiting(request());
        waiting(second);
        store.release(holder);
        awaitOfferTo(second);
    }

    @Test
    void aNewcomerDoesNotPassThoseThatWait() throws InterruptedException {
        TurnRequest holder = request();
        TurnRequest second = request();
        fence(holder);
        waiting(second);
        endTtl(session);
        waiting(request());
        awaitOfferTo(second);
        fence(second);
    }

    @Test
    void thoseWhoseTimeToWaitHasEndedArePassedOver() throws InterruptedException {
        TurnRequest holder = request();
        fence(holder);
        waiting(request());
        waiting(request());
        endWaiting(session);
        TurnRequest last = request();
        if (store.take(last) instanceof TakeReply.Queued) {
            store.release(holder);
            awaitOfferTo(last);
        }
        fence(last);
    }

    @Test
    void oneThatStopsWaitingIsPassedOver() throws InterruptedException {
        TurnRequest holder = request();
        TurnRequest second = request();
        TurnRequest third = request();
        fence(holder);
        waiting(second);
        waiting(third);
        assertThat(store.release(second)).isFalse();
        store.release(holder);
        awaitOfferTo(third);
    }

    @Test
    void oneThatStopsWaitingPassesItsOfferOn() throws InterruptedException {
        TurnRequest holder = request();
        TurnRequest second = request();
        TurnRequest third = request();
        fence(holder);
        waiting(second);
        waiting(third);
        store.release(holder);
        awaitOfferTo(second);
        assertThat(store.release(second)).isTrue();
        awaitOfferTo(third);
        fence(third);
    }

    @Test
    void onlyTheHolderReleases() {
        TurnRequest holder = request();
        fence(holder);
        assertThat(store.release(request())).isFalse();
        assertThat(store.take(request())).isInstanceOf(TakeReply.Queued.class);
        assertThat(store.release(holder)).isTrue();
    }

    @Test
    void aSecondReleaseDoesNotFreeTheNextHolder() {
        TurnRequest holder = request();
        TurnRequest next = request();
        fence(holder);
        store.release(holder);
        fence(next);
        assertThat(store.release(holder)).isFalse();
        assertThat(store.take(request())).isInstanceOf(TakeReply.Queued.class);
    }

    @Test
    void aRequestThatDoesNotWaitIsNotOffered() {
        TurnRequest holder = request();
        fence(holder);
        TurnRequest impatient = new TurnRequest(session, UUID.randomUUID().toString(), TTL, Duration.ZERO);
        waiting(impatient);
        store.release(holder);
        fence(request());
    }

    @Test
    void aHolderWhoseTtlHasEndedIsReplacedAndItsStaleTokenDoesNothing() {
        TurnRequest dead = request();
        long first = fence(dead);
        endTtl(session);
        TurnRequest next = request();
        long second = fence(next);
        assertThat(second).isGreaterThan(first);
        assertThat(store.renewAll(List.of(new TakenTurn(dead, first)))).containsExactly(TurnRenewal.LOST);
        assertThat(store.release(dead)).isFalse();
        assertThat(store.renewAll(List.of(new TakenTurn(next, second)))).containsExactly(TurnRenewal.HELD);
    }

    @Test
    void fencesGrowFromTurnToTurn() {
        long last = 0;
        for (int i = 0; i < 100; i++) {
            TurnRequest turn = request();
            long fence = fence(turn);
            assertThat(fence).isGreaterThan(last);
            last = fence;
            if (i % 2 == 0) {
                store.release(turn);
            } else {
                endTtl(session);
            }
        }
    }

    @Test
    void turnsOfManySessionsAreRenewedTogether() {
        TurnRequest mine = request();
        TurnRequest lost = new TurnRequest(SessionKey.of("lost:" + UUID.randomUUID()), "one", TTL, WAIT);
        TurnRequest thief = new TurnRequest(lost.session(), "two", TTL, WAIT);
        long fence = fence(mine);
        long lostFence = fence(lost);
        endTtl(lost.session());
        fence(thief);
        assertThat(store.renewAll(List.of(new TakenTurn(lost, lostFence), new TakenTurn(mine, fence))))
                .containsExactly(TurnRenewal.LOST, TurnRenewal.HELD);
    }
}
