package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SwitchableStore.Mode;
import dev.exactlyonce.event.DeliverySuperseded;
import dev.exactlyonce.event.LeaseLost;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The leases of running handlers, through the engine that renews them. */
@SuppressWarnings("FutureReturnValueIgnored") // a stage is the handler's own result here
class LeasesTest {
    private static final Duration LEASE = Replica.LEASE;
    private static final Duration TICK = LEASE.dividedBy(3);

    private final SettableClock time = new SettableClock();
    private final SwitchableStore store = new SwitchableStore(new MemoryStore(10_000, time, evicted -> {}));
    private final Replica replica = new Replica(store, time);
    private final Replica other = new Replica(store.inner(), time);
    private final List<String> lost = new ArrayList<>();

    private void tick() {
        replica.engine.renewLeases(TICK);
    }

    private void pass(Duration span) {
        for (Duration passed = Duration.ZERO; passed.compareTo(span) < 0; passed = passed.plus(TICK)) {
            time.advance(TICK);
            tick();
        }
    }

    /** Runs a handler that does this with its lease, and gives what became of it. */
    private Admission<Object> running(Work.Body body) throws Exception {
        return replica.deliver("1", Work.of(body));
    }

    /** Another replica runs the delivery. */
    private void takeOver() throws Exception {
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.HandlerEnded.class);
    }

    private void assertInFlightElsewhere() throws Exception {
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
    }

    @Test
    void aHandlerOfTenLeasesKeepsItsClaimAndRecords() throws Exception {
        assertThat(running(lease -> {
                    for (int i = 0; i < 30; i++) {
                        pass(TICK);
                        assertInFlightElsewhere();
                        assertThat(lease.stillOwned()).isTrue();
                        assertThat(lease.left()).isEqualTo(LEASE);
                    }
                    return 200;
                }))
                .isEqualTo(new Admission.HandlerEnded<>(200));
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(replica.events).noneMatch(LeaseLost.class::isInstance);
    }

    @Test
    void aStageThatHasYetToEndKeepsItsClaimAndEndsWithIt() throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        running(lease -> stage);
        pass(LEASE.multipliedBy(3));
        assertInFlightElsewhere();
        assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);

        stage.complete(200);
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        store.set(Mode.BREAKS); // nothing is renewed any more
        pass(LEASE);
    }

    @Test
    void aStageInAnOutageStaysInFlightOnItsReplica() throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        store.set(Mode.FAILS_BEFORE);
        running(lease -> stage);
        pass(LEASE.multipliedBy(3));

        assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
    }

    @Test
    void aDeliveryOfLessThanAThirdOfItsLeaseIsNotRenewed() throws Exception {
        replica.deliver("1", Work.returning(200));
        CompletableFuture<Object> longer = new CompletableFuture<>();
        replica.deliver("2", Work.returning(longer));
        replica.engine.renewLeases(Duration.ofMillis(1));

        assertThat(store.calls()).doesNotContain("renew");
        longer.complete(200);
    }

    @Test
    void twoThousandClaimsAreOneCallATick() throws Exception {
        Replica busy = new Replica(store, time, 10_000);
        List<CompletableFuture<Object>> stages = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            CompletableFuture<Object> stage = new CompletableFuture<>();
            stages.add(stage);
            busy.deliver("k" + i, Work.returning(stage));
        }
        int ticks = 7;
        for (int i = 0; i < ticks; i++) {
            time.advance(TICK);
            busy.engine.renewLeases(TICK);
        }

        assertThat(store.calls()).filteredOn("renew"::equals).hasSize(ticks);
        stages.forEach(stage -> stage.complete(200));
        assertThat(IntStream.range(0, 2_000)
                        .mapToObj(
                                i -> store.inner().reserve(Claim.fresh(Replica.key("k" + i), Fingerprint.NONE, LEASE))))
                .allMatch(Reservation.AlreadyRecorded.class::isInstance);
    }

    @Test
    void aRenewalThatFailsIsTriedAgainAtTheNextTick() throws Exception {
        running(lease -> {
            store.set(Mode.FAILS_BEFORE);
            pass(TICK);
            pass(TICK);
            assertThat(lease.stillOwned()).isTrue();
            assertThat(lease.left()).isEqualTo(TICK);
            store.set(Mode.WORKS);
            time.advance(TICK.minusMillis(1));
            tick();
            assertThat(lease.left()).isEqualTo(LEASE);
            assertInFlightElsewhere();
            return 200;
        });
    }

    @Test
    void anErrorInARenewalEndsNoRenewalThatFollows() throws Exception {
        running(lease -> {
            time.advance(TICK);
            store.beforeTheNextCall(() -> {
                throw new NoClassDefFoundError("injected");
            });
            tick();
            assertThat(lease.left()).isEqualTo(LEASE.minus(TICK));
            tick();
            assertThat(lease.left()).isEqualTo(LEASE);
            return 200;
        });
    }

    @Test
    void aLeaseIsCountedFromTheSendingOfTheRenewal() throws Exception {
        running(lease -> {
            time.advance(TICK);
            store.beforeTheNextAnswer(() -> time.advance(Duration.ofSeconds(5)));
            tick();
            assertThat(lease.left()).isEqualTo(LEASE.minusSeconds(5));
            return 200;
        });
    }

    @Test
    void aLeaseIsCountedFromTheSendingOfTheReserve() throws Exception {
        store.beforeTheNextAnswer(() -> time.advance(Duration.ofSeconds(5)));
        running(lease -> {
            assertThat(lease.left()).isEqualTo(LEASE.minusSeconds(5));
            return 200;
        });
    }

    @Test
    void aReplicaThatWasStoppedPastItsLeaseKnowsItBeforeAnyoneTellsIt() throws Exception {
        assertThat(running(lease -> {
                    lease.onLost(() -> lost.add("reported"));
                    time.advance(LEASE);
                    assertThat(lease.stillOwned()).isFalse();
                    assertThat(lease.left()).isZero();
                    takeOver();
                    tick();
                    assertThat(lost).containsExactly("reported");
                    return 200;
                }))
                .isEqualTo(new Admission.HandlerEnded<>(200));
        assertThat(replica.events)
                .contains(
                        new LeaseLost("github", Replica.key("1").value()),
                        new DeliverySuperseded("github", Replica.key("1").value()));
    }

    @Test
    void aLostClaimIsRenewedNoMoreAndToldOnce() throws Exception {
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            time.advance(LEASE);
            takeOver();
            tick();
            int calls = store.calls().size();
            pass(LEASE);
            assertThat(store.calls()).hasSize(calls);
            assertThat(lost).hasSize(1);
            lease.onLost(() -> lost.add("at once"));
            assertThat(lost).containsExactly("reported", "at once");
            return 200;
        });
        assertThat(replica.events).filteredOn(LeaseLost.class::isInstance).hasSize(1);
    }

    @Test
    void aLeaseThatEndedUnconfirmedIsToldAndOwnedAgainOnceARenewalClaimsIt() throws Exception {
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            store.set(Mode.FAILS_BEFORE);
            pass(LEASE);
            assertThat(lost).containsExactly("reported");
            store.set(Mode.WORKS);
            pass(TICK);
            assertThat(lease.stillOwned()).isTrue();
            assertInFlightElsewhere();
            return 200;
        });
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
    }

    @Test
    void aBestEffortAdmissionIsOwnedOnceARenewalHasClaimedIt() throws Exception {
        store.set(Mode.FAILS_BEFORE);
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            assertThat(lease.stillOwned()).isFalse();
            pass(LEASE.multipliedBy(2));
            assertThat(lost).isEmpty();
            store.set(Mode.WORKS);
            pass(TICK);
            assertThat(lease.stillOwned()).isTrue();
            assertInFlightElsewhere();
            return 200;
        });
    }

    @Test
    void aBestEffortAdmissionThatTurnsOutToBeAnothersIsToldSo() throws Exception {
        store.set(Mode.FAILS_BEFORE);
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            takeOver();
            store.set(Mode.WORKS);
            pass(TICK);
            assertThat(lost).containsExactly("reported");
            return 200;
        });
    }

    @Test
    void aClaimIsRenewedUpToTheLongestHoldAndNoLonger() throws Exception {
        CompletableFuture<Object> neverEnding = new CompletableFuture<>();
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            return neverEnding;
        });
        pass(Replica.MAX_HOLD.minus(TICK));
        assertInFlightElsewhere();
        pass(LEASE);
        assertThat(lost).containsExactly("reported");
        takeOver();
        int calls = store.calls().size();
        pass(LEASE.multipliedBy(5));
        assertThat(store.calls()).hasSize(calls);
    }

    @Test
    void workThatWasGivenUpOnIsRenewedNoMore() throws Exception {
        replica.deliver("1", Work.returning(CompletableFuture.failedFuture(new CancellationException())));
        pass(LEASE);

        assertThat(store.calls()).doesNotContain("renew");
        takeOver();
    }

    @Test
    void aFaultInOneReleaseThatOvertakesARenewalEndsNoOtherRenewal() throws Exception {
        List<CompletableFuture<Object>> stages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Object> stage = new CompletableFuture<>();
            stages.add(stage);
            replica.deliver("k" + i, Work.returning(stage));
        }
        time.advance(TICK);
        store.beforeTheNextCall(() -> {
            stages.get(0).completeExceptionally(new Work.Failed(500));
            store.beforeTheNextAnswer(() -> store.set(Mode.BREAKS)); // the renewal's own answer, then the release
        });
        tick();
        store.set(Mode.WORKS);
        pass(LEASE.multipliedBy(2));

        assertThat(other.deliver("k1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
        assertThat(other.deliver("k2", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
    }

    @Test
    void aLeaseThatEndsWhileItsRenewalIsOnTheWayIsToldThoughItIsWonAgain() throws Exception {
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            time.advance(LEASE.minusMillis(1));
            store.beforeTheNextAnswer(() -> time.advance(Duration.ofSeconds(2)));
            tick();
            assertThat(lost).containsExactly("reported");
            assertThat(lease.stillOwned()).isTrue();
            return 200;
        });
        assertThat(replica.events).filteredOn(LeaseLost.class::isInstance).hasSize(1);
    }

    @Test
    void noActionIsRefusedAtOnce() throws Exception {
        running(lease -> {
            assertThatThrownBy(() -> lease.onLost(null)).isInstanceOf(NullPointerException.class);
            return 200;
        });
    }

    @Test
    void aReleaseThatCrossesARenewalLeavesNoClaimBehind() throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        replica.deliver("1", Work.returning(stage));
        time.advance(LEASE); // so that the renewal claims the key anew
        store.beforeTheNextAnswer(() -> stage.completeExceptionally(new Work.Failed(500)));
        tick();

        takeOver();
    }

    @Test
    void aReleaseThatOvertakesARenewalIsRepeatedAfterIt() throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        running(lease -> stage);
        time.advance(TICK);
        store.beforeTheNextCall(() -> stage.completeExceptionally(new Work.Failed(500)));
        tick();

        assertThat(store.calls()).containsExactly("reserve", "release", "renew", "release");
        takeOver();
    }

    @Test
    void nothingIsToldOnceTheHandlerHasEnded() throws Exception {
        AtomicReference<Lease> kept = new AtomicReference<>();
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            kept.set(lease);
            return 200;
        });
        pass(LEASE.multipliedBy(2));
        Objects.requireNonNull(kept.get()).onLost(() -> lost.add("late"));

        assertThat(lost).isEmpty();
        assertThat(kept.get().stillOwned()).isFalse();
        assertThat(kept.get().left()).isZero();
    }

    @Test
    void whatThrowsOnALossStopsNothing() throws Exception {
        running(lease -> {
            lease.onLost(() -> {
                throw new IllegalStateException("a user's mistake");
            });
            lease.onLost(() -> lost.add("reported"));
            time.advance(LEASE);
            tick();
            assertThat(lost).containsExactly("reported");
            return 200;
        });
    }

    @Test
    void aRejectingSourceHasNoLeaseWhileTheStoreIsAway() throws Exception {
        replica.with(OnOutage.REJECT);
        store.set(Mode.FAILS_BEFORE);
        assertThat(running(lease -> 200)).isInstanceOf(Admission.StoreUnreachable.class);
        pass(LEASE);

        assertThat(store.calls()).doesNotContain("renew");
    }

    @Test
    void aHandlerThatHangsFreesItsKeyOnItsOwnReplicaAfterTheLongestHoldAndIsToldSo() throws Exception {
        assertThat(running(lease -> {
                    lease.onLost(() -> lost.add("reported"));
                    pass(Replica.MAX_HOLD.minus(TICK));
                    assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
                    assertThat(lost).isEmpty();
                    pass(LEASE.plus(TICK));
                    assertThat(lease.stillOwned()).isFalse();
                    assertThat(lost).containsExactly("reported");
                    assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(new Admission.HandlerEnded<>(200));
                    return 200;
                }))
                .isEqualTo(new Admission.HandlerEnded<>(200));
        assertThat(replica.events)
                .contains(
                        new LeaseLost("github", Replica.key("1").value()),
                        new DeliverySuperseded("github", Replica.key("1").value()));
        assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
    }

    @Test
    void aHandlerThatHungAndEndsBeforeAnyCopyCameIsRecorded() throws Exception {
        running(lease -> {
            pass(Replica.MAX_HOLD.plus(LEASE.multipliedBy(5)));
            return 200;
        });

        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
    }

    @Test
    void aHandlerThatHungAndFailsAfterItsCopyRanTakesNothingFromIt() throws Exception {
        assertThatThrownBy(() -> running(lease -> {
                    pass(Replica.MAX_HOLD.plus(LEASE));
                    replica.deliver("1", Work.returning(200));
                    throw new Work.Failed(500);
                }))
                .isInstanceOf(Work.Failed.class);

        assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
    }

    @Test
    void aHandlerThatHangsWithoutAStoreFreesItsKeyAfterTheLongestHoldAndIsToldSo() throws Exception {
        store.set(Mode.FAILS_BEFORE);
        running(lease -> {
            lease.onLost(() -> lost.add("reported"));
            pass(Replica.MAX_HOLD.minus(TICK));
            assertThat(replica.deliver("1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
            pass(LEASE.plus(TICK));
            assertThat(lost).containsExactly("reported");
            assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(new Admission.HandlerEnded<>(200));
            return 200;
        });
        assertThat(replica.events)
                .contains(new LeaseLost("github", Replica.key("1").value()));
    }

    @Test
    void aKeyWhoseLeaseIsLongerThanTheLongestHoldIsFreeWhenItsLeaseHasEnded() throws Exception {
        AdmissionEngine engine = new AdmissionEngine(
                replica.guard, new AdmissionEngine.Limits(10, TICK), event -> {}, time, Runnable::run);
        PreparedDelivery delivery = replica.delivery("1", "{}");
        engine.admit(delivery, Work.of(lease -> {
            time.advance(LEASE.minusNanos(1));
            engine.renewLeases(TICK);
            assertThat(engine.admit(delivery, Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
            time.advance(Duration.ofNanos(1));
            assertThat(engine.admit(delivery, Work.returning(200))).isInstanceOf(Admission.HandlerEnded.class);
            return 200;
        }));
    }

    @Test
    void aLossThatNoThreadCouldBeFoundForIsToldAtTheNextTick() throws Exception {
        List<Error> noThread = new ArrayList<>(List.of(new NoClassDefFoundError("unable to create native thread")));
        AdmissionEngine engine = new AdmissionEngine(
                replica.guard, new AdmissionEngine.Limits(10, Replica.MAX_HOLD), event -> {}, time, action -> {
                    if (!noThread.isEmpty()) {
                        throw noThread.remove(0);
                    }
                    action.run();
                });
        engine.admit(replica.delivery("1", "{}"), Work.of(lease -> {
            lease.onLost(() -> lost.add("one"));
            lease.onLost(() -> lost.add("two"));
            time.advance(LEASE);
            takeOver();
            engine.renewLeases(TICK);
            engine.renewLeases(TICK);
            assertThat(lost).containsExactly("two", "one");
            return 200;
        }));
    }
}
