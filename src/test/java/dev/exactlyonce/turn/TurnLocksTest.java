package dev.exactlyonce.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.Turn;
import dev.exactlyonce.TurnLockUnavailableException;
import dev.exactlyonce.TurnTimeoutException;
import dev.exactlyonce.event.TurnLockDegraded;
import dev.exactlyonce.event.TurnLockEvent;
import dev.exactlyonce.event.TurnLockRestored;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The engine, on a clock that stands until a test moves it. */
class TurnLocksTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration MAX_HOLD = Duration.ofHours(1);
    private static final String ALICE = "session:alice";

    private final SettableClock clock = new SettableClock();
    private final SwitchableTurns shared = new SwitchableTurns(new LocalTurns(clock, clock));
    private final List<TurnLockEvent> events = new ArrayList<>();

    private final TurnOutage outage = new TurnOutage("turn_lock:redis", "check Redis", clock, events::add);
    private final TurnLocks turns = replica(outage, false);

    private TurnLocks replica(TurnOutage ofReplica, boolean reject) {
        return new TurnLocks(
                new LocalTurns(clock, clock),
                Optional.of(shared),
                ofReplica,
                new TurnLocks.TurnLimits(TTL, Duration.ofSeconds(5), MAX_HOLD, reject),
                clock,
                Runnable::run);
    }

    private TurnLocks alone() {
        return new TurnLocks(
                new LocalTurns(clock, clock),
                Optional.empty(),
                outage,
                new TurnLocks.TurnLimits(TTL, Duration.ofSeconds(5), MAX_HOLD, false),
                clock,
                Runnable::run);
    }

    private TurnLocks otherReplica() {
        return replica(new TurnOutage("turn_lock:redis", "check Redis", clock, event -> {}), false);
    }

    @Test
    void aTurnIsHeldUntilItIsClosed() {
        try (Turn turn = turns.take(ALICE)) {
            assertThat(turn.stillHeld()).isTrue();
            assertThat(turn.session()).isEqualTo(ALICE);
            assertThat(otherReplica().tryTake(ALICE)).isEmpty();
        }
        assertThat(otherReplica().tryTake(ALICE)).isPresent();
    }

    @Test
    void aTurnIsReleasedWhenTheWorkThrows() {
        assertThatThrownBy(() -> {
                    try (Turn turn = turns.take(ALICE)) {
                        throw new IllegalArgumentException("of the work with fence " + turn.fence());
                    }
                })
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(otherReplica().tryTake(ALICE)).isPresent();
    }

    @Test
    void closingTwiceDoesNotFreeTheNextHolder() {
        Turn first = turns.take(ALICE);
        first.close();
        Turn second = turns.take(ALICE);
        first.close();
        assertThat(otherReplica().tryTake(ALICE)).isEmpty();
        second.close();
    }

    @Test
    void sessionsDoNotHoldEachOtherUp() {
        Turn alice = turns.take(ALICE);
        assertThat(turns.tryTake("session:bob")).isPresent();
        alice.close();
    }

    @Test
    void anEmptySessionAndANegativeWaitAreRefused() {
        assertThatThrownBy(() -> turns.take("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> turns.take(ALICE, Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aWaitThatIsTooShortEndsInATimeoutAndHoldsNothing() {
        Turn holder = turns.take(ALICE);
        assertThatThrownBy(() -> otherReplica().take(ALICE, Duration.ZERO)).isInstanceOf(TurnTimeoutException.class);
        holder.close();
        assertThat(turns.tryTake(ALICE)).isPresent();
    }

    @Test
    void anInterruptedThreadHoldsNothingAndStaysInterrupted() throws Exception {
        Turn holder = turns.take(ALICE);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        int before = shared.calls.get();
        Thread waiting = new Thread(() -> {
            try {
                turns.take(ALICE, Duration.ofMinutes(1));
                interrupted.complete(false);
            } catch (TurnTimeoutException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        waiting.start();
        await().until(() -> shared.calls.get() > before);
        waiting.interrupt();
        assertThat(interrupted.get()).isTrue();
        holder.close();
        assertThat(turns.tryTake(ALICE)).isPresent();
    }

    @Test
    void aReleasedTurnWakesTheOneThatWaitsInThisReplica() throws Exception {
        TurnLocks alone = alone();
        Turn holder = alone.take(ALICE);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> {
            begun.countDown();
            try (Turn turn = alone.take(ALICE, Duration.ofMinutes(1))) {
                return turn.fence();
            }
        });
        begun.await();
        holder.close();
        assertThat(next.get()).isGreaterThan(holder.fence());
    }

    @Test
    void aTurnIsRenewedEveryThirdOfItsTtl() {
        Turn turn = turns.take(ALICE);
        for (int i = 0; i < 9; i++) {
            clock.advance(TTL.dividedBy(3));
            turns.tick();
            assertThat(turn.stillHeld()).isTrue();
            assertThat(otherReplica().tryTake(ALICE)).isEmpty();
        }
        int calls = shared.calls.get();
        turns.tick();
        assertThat(shared.calls.get())
                .as("not renewed before a third has passed")
                .isEqualTo(calls);
    }

    @Test
    void aTurnThatIsHeldTooLongIsNotRenewedAnyMore() {
        AtomicInteger lost = new AtomicInteger();
        Turn turn = turns.take(ALICE);
        turn.onLost(lost::incrementAndGet);
        for (Duration passed = Duration.ZERO;
                passed.compareTo(MAX_HOLD.plus(TTL)) < 0;
                passed = passed.plus(TTL.dividedBy(3))) {
            clock.advance(TTL.dividedBy(3));
            turns.tick();
        }
        assertThat(turn.stillHeld()).isFalse();
        assertThat(lost).hasValue(1);
        assertThat(otherReplica().tryTake(ALICE)).isPresent();
    }

    @Test
    void aTurnThatAnotherReplicaHasTakenIsReportedAsLostOnce() {
        AtomicInteger lost = new AtomicInteger();
        Turn paused = turns.take(ALICE);
        paused.onLost(lost::incrementAndGet);
        clock.advance(TTL);
        Turn next = otherReplica().take(ALICE);
        assertThat(paused.stillHeld()).isFalse();
        assertThat(next.fence()).isGreaterThan(paused.fence());
        turns.tick();
        turns.tick();
        assertThat(lost).hasValue(1);
        paused.onLost(lost::incrementAndGet);
        assertThat(lost).hasValue(2);
        paused.close();
        assertThat(turns.tryTake(ALICE)).as("the stale token frees nothing").isEmpty();
    }

    @Test
    void anActionOnALossDoesNotRunAfterTheTurnWasClosed() {
        AtomicInteger lost = new AtomicInteger();
        Turn turn = turns.take(ALICE);
        turn.onLost(lost::incrementAndGet);
        turn.close();
        clock.advance(TTL);
        turns.tick();
        turn.onLost(lost::incrementAndGet);
        assertThat(lost).hasValue(0);
    }

    @Test
    void inAnOutageTurnsAreSerialisedInThisReplicaAndTheFactSaysSo() {
        shared.goAway();
        try (Turn turn = turns.take(ALICE)) {
            assertThat(turn.stillHeld()).isFalse();
            assertThat(turns.tryTake(ALICE)).isEmpty();
            assertThat(turns.tryTake("session:bob")).isPresent();
        }
        assertThat(outage.name()).isEqualTo("capability:turn_lock:redis");
        assertThat(outage.fact())
                .hasValueSatisfying(it -> assertThat(it.reason()).contains("turn_lock:redis"));
        assertThat(events).hasSize(1).first().isInstanceOf(TurnLockDegraded.class);
        assertThat(turns.tryTake(ALICE)).isPresent();
    }

    @Test
    void theNextSuccessClearsTheFact() {
        shared.goAway();
        turns.take(ALICE).close();
        shared.comeBack();
        turns.take(ALICE).close();
        assertThat(outage.fact()).isEmpty();
        assertThat(events).hasSize(2).last().isInstanceOf(TurnLockRestored.class);
    }

    @Test
    void theFactIsClearedWithoutTraffic() {
        shared.goAway();
        turns.take(ALICE).close();
        shared.comeBack();
        clock.advance(Duration.ofSeconds(1));
        turns.tick();
        assertThat(outage.fact()).isEmpty();
    }

    @Test
    void aTurnOfAnOutageExcludesOneAfterItInThisReplica() {
        shared.goAway();
        Turn during = turns.take(ALICE);
        shared.comeBack();
        assertThat(turns.tryTake(ALICE)).isEmpty();
        during.close();
        assertThat(turns.tryTake(ALICE)).isPresent();
    }

    @Test
    void aStoreThatStaysSilentIsAskedOnceASecond() {
        shared.goAway();
        for (int i = 0; i < 100; i++) {
            turns.take("session:" + i).close();
        }
        int silent = shared.calls.get();
        assertThat(silent).isLessThan(10);
        clock.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 100; i++) {
            turns.take("session:" + i).close();
        }
        assertThat(shared.calls.get()).isEqualTo(silent + 1);
    }

    @Test
    void onOutageRejectRefusesTheTurn() {
        TurnLocks strict = replica(outage, true);
        shared.goAway();
        assertThatThrownBy(() -> strict.take(ALICE)).isInstanceOf(TurnLockUnavailableException.class);
        shared.comeBack();
        assertThat(strict.tryTake(ALICE)).isPresent();
    }

    @Test
    void aTakeWhoseReplyWasLostIsReleasedOnceTheStoreAnswers() {
        shared.loseReplies();
        turns.take(ALICE).close();
        shared.comeBack();
        assertThat(otherReplica().tryTake(ALICE))
                .as("the lost take still holds it")
                .isEmpty();
        clock.advance(Duration.ofSeconds(1));
        turns.tick();
        assertThat(otherReplica().tryTake(ALICE)).isPresent();
    }

    @Test
    void aReleaseThatTheStoreDidNotConfirmIsRepeated() {
        Turn turn = turns.take(ALICE);
        shared.goAway();
        turn.close();
        shared.comeBack();
        clock.advance(Duration.ofSeconds(1));
        turns.tick();
        assertThat(otherReplica().tryTake(ALICE)).isPresent();
    }

    @Test
    void aTurnWhoseRenewalsFailIsNotHeldAfterItsTtl() {
        AtomicInteger lost = new AtomicInteger();
        Turn turn = turns.take(ALICE);
        turn.onLost(lost::incrementAndGet);
        shared.goAway();
        for (int i = 0; i < 3; i++) {
            assertThat(turn.stillHeld()).isTrue();
            clock.advance(TTL.dividedBy(3));
            turns.tick();
        }
        assertThat(turn.stillHeld()).isFalse();
        assertThat(lost).hasValue(1);
    }

    @Test
    void turnsOfOneReplicaAloneAreHeldForWhatTheyPromise() {
        TurnLocks alone = alone();
        try (Turn turn = alone.take(ALICE)) {
            assertThat(turn.stillHeld()).isTrue();
            assertThat(alone.tryTake(ALICE)).isEmpty();
        }
        assertThat(alone.tryTake(ALICE)).isPresent();
    }

    @Test
    void whatIsStillHeldAtTheStopIsFreed() {
        turns.take(ALICE);
        turns.close();
        assertThat(otherReplica().tryTake(ALICE)).isPresent();
    }
}
