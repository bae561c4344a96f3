package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.AdmissionEngine.Limits;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.event.DeliveryAdmitted;
import dev.exactlyonce.event.DeliveryDeferred;
import dev.exactlyonce.event.DeliveryInFlight;
import dev.exactlyonce.event.DeliveryRecorded;
import dev.exactlyonce.event.DeliveryReleased;
import dev.exactlyonce.event.DeliverySuperseded;
import dev.exactlyonce.event.DeliveryUnfinished;
import dev.exactlyonce.event.DuplicateDelivered;
import dev.exactlyonce.event.KeyReusedWithOtherBody;
import dev.exactlyonce.event.UnsignedIdReused;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionEngineTest {
    private static final Limits LIMITS = new Limits(100, Replica.MAX_HOLD);
    private static final Admission<Object> DUPLICATE = new Admission.RecordedBefore<>(RecordedAnswer.of(200));

    private final SettableClock time = new SettableClock();
    private final SwitchableStore store = new SwitchableStore(new MemoryStore(1000, time, until -> {}));
    private final Replica replica = new Replica(store, time);
    private final Replica other = new Replica(store, time);

    private static Admission<Object> ran(Object result) {
        return new Admission.HandlerEnded<>(result);
    }

    private static Admission<Object> inFlight(Duration left) {
        return new Admission.StillRunning<>(left);
    }

    private static CompletableFuture<?> stageOf(Admission<Object> admission) {
        return ((CompletionStage<?>) ((Admission.HandlerEnded<Object>) admission).result()).toCompletableFuture();
    }

    private Reservation inStore(String id) {
        return store.reserve(Claim.fresh(Replica.key(id), Fingerprint.NONE, Duration.ofMillis(1)));
    }

    // --- success and failure

    @Test
    void aDeliveryRunsOnceAndItsCopiesAreDuplicatesOnEveryReplica() throws Exception {
        Work work = Work.returning(200);
        assertThat(replica.deliver("1", work)).isEqualTo(ran(200));
        assertThat(replica.deliver("1", work)).isEqualTo(DUPLICATE);
        assertThat(other.deliver("1", work)).isEqualTo(DUPLICATE);
        assertThat(work.runs()).isEqualTo(1);
        assertThat(replica.deliver("2", work)).isEqualTo(ran(200));
    }

    @Test
    void aDuplicateHasTheStatusThatWasRecorded() throws Exception {
        replica.deliver("1", Work.returning(null));
        assertThat(replica.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(204)));
        assertThat(other.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(204)));
    }

    @Test
    void aRecordIsKeptForTheTtlCountedFromItsWriting() throws Exception {
        replica.deliver("1", Work.of(left -> {
            time.advance(Duration.ofSeconds(30));
            return 200;
        }));
        time.advance(Replica.TTL.minusNanos(1));
        assertThat(replica.deliver("1", Work.returning(201))).isEqualTo(DUPLICATE);
        assertThat(other.deliver("1", Work.returning(201))).isEqualTo(DUPLICATE);
        time.advance(Duration.ofNanos(1));
        assertThat(replica.deliver("1", Work.returning(201))).isEqualTo(ran(201));
    }

    @Test
    void aFailedHandlerReleasesTheKeySoThatTheRetryRuns() throws Exception {
        Work.Failed failure = new Work.Failed(500);
        assertThatThrownBy(() -> replica.deliver("1", Work.failing(failure))).isSameAs(failure);
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(ran(200));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    @Test
    void anErrorReleasesTheKeyToo() throws Exception {
        assertThatThrownBy(() -> replica.deliver("1", Work.failing(new StackOverflowError())))
                .isInstanceOf(StackOverflowError.class);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 302, 404, 422, 500, 503})
    void aHandlerThatRefusesReleasesTheKeySoThatTheRetryRuns(int status) throws Exception {
        assertThat(replica.deliver("1", Work.returning(status))).isEqualTo(ran(status));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void recordOnClientErrorKeepsAFourHundredAndItsDuplicateGetsTheStatus() throws Exception {
        replica.with(RecordOn.CLIENT_ERROR);
        assertThat(replica.deliver("1", Work.returning(404))).isEqualTo(ran(404));
        assertThat(replica.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(404)));
        assertThat(other.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(404)));

        assertThatThrownBy(() -> replica.deliver("2", Work.failing(new Work.Failed(410))))
                .isInstanceOf(Work.Failed.class);
        assertThat(replica.deliver("2", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(410)));

        assertThat(replica.deliver("3", Work.returning(500))).isEqualTo(ran(500));
        assertThat(replica.deliver("3", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void recordOnAlwaysKeepsEveryEnd() throws Exception {
        replica.with(RecordOn.ALWAYS);
        assertThat(replica.deliver("1", Work.returning(302))).isEqualTo(ran(302));
        assertThat(replica.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(302)));
        assertThatThrownBy(() -> replica.deliver("2", Work.failing(new IllegalStateException())))
                .isInstanceOf(IllegalStateException.class);
        assertThat(replica.deliver("2", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(500)));
    }

    @ParameterizedTest
    @EnumSource(RecordOn.class)
    void workThatSomebodyStoppedWaitingForKeepsItsClaimToTheLeasesEnd(RecordOn recordOn) throws Exception {
        replica.with(recordOn);
        assertThatThrownBy(() -> replica.deliver("1", Work.failing(new TimeoutException())))
                .isInstanceOf(TimeoutException.class);
        time.advance(Replica.LEASE.minusMillis(1));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(inFlight(Duration.ofMillis(1)));
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(inFlight(Duration.ofMillis(1)));
        time.advance(Duration.ofMillis(1));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void theRetryMayRunAsSoonAsTheReleaseIsTold() throws Exception {
        List<Admission<Object>> retries = new ArrayList<>();
        AdmissionEngine engine = new AdmissionEngine(
                replica.guard,
                LIMITS,
                event -> {
                    if (event instanceof DeliveryReleased) {
                        retries.add(unchecked(() -> other.deliver("1", Work.returning(500))));
                    }
                },
                time,
                Runnable::run);
        var admission = engine.admit(replica.delivery("1", "{}"), Work.returning(503));
        assertThat(admission).isEqualTo(ran(503));
        assertThat(retries).containsExactly(ran(500));
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    // --- copies of a delivery that runs

    @Test
    void aCopyOfADeliveryThatRunsIsInFlightWithWhatIsLeftOfTheLease() throws Exception {
        Work copy = Work.returning(200);
        assertThat(replica.deliver("1", Work.of(left -> {
                    time.advance(Duration.ofSeconds(20));
                    assertThat(left.left()).isEqualTo(Duration.ofSeconds(40));
                    assertThat(replica.deliver("1", copy)).isEqualTo(inFlight(Duration.ofSeconds(40)));
                    assertThat(other.deliver("1", copy)).isEqualTo(inFlight(Duration.ofSeconds(40)));
                    return 201;
                })))
                .isEqualTo(ran(201));
        assertThat(copy.runs()).isZero();
    }

    @Test
    void aCopyOnTheSameReplicaWaitsForAHandlerThatOutlivesItsLease() throws Exception {
        Work copy = Work.returning(200);
        replica.deliver("1", Work.of(left -> {
            time.advance(Replica.LEASE.multipliedBy(2));
            assertThat(left.left()).isZero();
            assertThat(replica.deliver("1", copy)).isEqualTo(inFlight(Duration.ZERO));
            return 200;
        }));
        assertThat(replica.deliver("1", copy)).isEqualTo(DUPLICATE);
        assertThat(other.deliver("1", copy)).isEqualTo(DUPLICATE);
        assertThat(copy.runs()).isZero();
    }

    @Test
    void twoHundredCopiesAtOnceRunTheHandlerOnce() throws Exception {
        int copies = 200;
        CountDownLatch start = new CountDownLatch(1);
        Work work = Work.returning(200);
        ExecutorService senders = Executors.newFixedThreadPool(copies);
        try {
            List<Future<Admission<Object>>> answers = new ArrayList<>();
            for (int i = 0; i < copies; i++) {
                Replica to = i % 2 == 0 ? replica : other;
                answers.add(senders.submit(() -> {
                    start.await();
                    return to.deliver("1", work);
                }));
            }
            start.countDown();
            List<Admission<Object>> seen = new ArrayList<>();
            for (Future<Admission<Object>> answer : answers) {
                seen.add(answer.get(1, TimeUnit.MINUTES));
            }
            assertThat(work.runs()).isEqualTo(1);
            assertThat(seen).containsOnlyOnce(ran(200));
            assertThat(seen)
                    .filteredOn(it -> !it.equals(ran(200)))
                    .hasSize(copies - 1)
                    .allMatch(it -> it.equals(DUPLICATE) || it instanceof Admission.StillRunning);
        } finally {
            senders.shutdownNow();
        }
    }

    @Test
    void everyKeyOfManyAtOnceRunsOnceAlsoWhenNothingIsRemembered() throws Exception {
        Replica forgetful = new Replica(store, time, 0);
        Work work = Work.returning(200);
        ExecutorService senders = Executors.newFixedThreadPool(8);
        try {
            List<Future<Admission<Object>>> answers = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                String id = "key-" + i % 100;
                answers.add(senders.submit(() -> forgetful.deliver(id, work)));
            }
            for (Future<Admission<Object>> answer : answers) {
                var unused = answer.get(1, TimeUnit.MINUTES);
            }
        } finally {
            senders.shutdownNow();
        }
        assertThat(work.runs()).isEqualTo(100);
    }

    // --- another body under the same key

    @Test
    void anotherBodyUnderARecordedKeyIsToldFromADuplicateByRegistryAndStore() throws Exception {
        replica.with(FingerprintBy.BODY);
        other.with(FingerprintBy.BODY);
        replica.deliver("1", "one", Work.returning(200));
        assertThat(replica.deliver("1", "two", Work.returning(200))).isEqualTo(new Admission.FingerprintMismatch<>());
        assertThat(other.deliver("1", "two", Work.returning(200))).isEqualTo(new Admission.FingerprintMismatch<>());
        assertThat(replica.deliver("1", "one", Work.returning(200))).isEqualTo(DUPLICATE);
        assertThat(other.deliver("1", "one", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    @Test
    void anotherBodyIsToldAlsoWhileTheFirstRuns() throws Exception {
        replica.with(FingerprintBy.BODY);
        other.with(FingerprintBy.BODY);
        replica.deliver("1", "one", Work.of(left -> {
            assertThat(replica.deliver("1", "two", Work.returning(200)))
                    .isEqualTo(new Admission.FingerprintMismatch<>());
            assertThat(other.deliver("1", "two", Work.returning(200))).isEqualTo(new Admission.FingerprintMismatch<>());
            assertThat(other.deliver("1", "one", Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
            return 200;
        }));
    }

    @Test
    void withoutAFingerprintAnotherBodyIsADuplicate() throws Exception {
        replica.deliver("1", "one", Work.returning(200));
        other.with(FingerprintBy.BODY);
        assertThat(replica.deliver("1", "two", Work.returning(200))).isEqualTo(DUPLICATE);
        assertThat(other.deliver("1", "two", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    // --- another body under an id that is not signed

    @Test
    void anotherBodyUnderAnUnsignedIdRunsOnceOverAllReplicasAndIsTold() throws Exception {
        replica.with(FingerprintBy.SEPARATE);
        other.with(FingerprintBy.SEPARATE);
        replica.deliver("1", "captured", Work.returning(200));
        assertThat(replica.events).noneMatch(UnsignedIdReused.class::isInstance);
        assertThat(replica.deliver("1", "true", Work.returning(201))).isEqualTo(new Admission.HandlerEnded<>(201));
        assertThat(replica.events)
                .contains(new UnsignedIdReused("github", Replica.key("1").value()));
        assertThat(other.deliver("1", "true", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(replica.deliver("1", "true", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(other.deliver("1", "captured", Work.returning(200))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(other.deliver("1", "third", Work.returning(202))).isEqualTo(new Admission.HandlerEnded<>(202));
        assertThat(other.deliver("1", "third", Work.returning(202))).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(replica.events)
                .filteredOn(UnsignedIdReused.class::isInstance)
                .hasSize(1);
        assertThat(other.events).filteredOn(UnsignedIdReused.class::isInstance).hasSize(1);
    }

    @Test
    void anotherBodyUnderAnUnsignedIdDoesNotWaitForTheFirst() throws Exception {
        replica.with(FingerprintBy.SEPARATE);
        other.with(FingerprintBy.SEPARATE);
        replica.deliver("1", "captured", Work.of(left -> {
            assertThat(replica.deliver("1", "true", Work.returning(201))).isEqualTo(new Admission.HandlerEnded<>(201));
            assertThat(other.deliver("1", "true", Work.returning(201))).isInstanceOf(Admission.RecordedBefore.class);
            assertThat(other.deliver("1", "captured", Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
            return 200;
        }));
    }

    @Test
    void whatFailedUnderAnUnsignedIdRunsAgainUnderWhicheverKeyIsFree() throws Exception {
        replica.with(FingerprintBy.SEPARATE);
        replica.deliver("1", "captured", Work.returning(200));
        replica.deliver("1", "true", Work.returning(500));
        assertThat(replica.deliver("1", "true", Work.returning(201))).isEqualTo(new Admission.HandlerEnded<>(201));
        assertThat(replica.deliver("1", "true", Work.returning(201))).isInstanceOf(Admission.RecordedBefore.class);
    }

    // --- stages

    @Test
    void aStageIsRecordedWhenItCompletesAndNotBefore() throws Exception {
        CompletableFuture<Object> result = new CompletableFuture<>();
        CompletableFuture<?> answered = stageOf(replica.deliver("1", Work.returning(result)));
        time.advance(Duration.ofSeconds(10));
        assertThat(answered).isNotDone();
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(inFlight(Duration.ofSeconds(50)));
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(inFlight(Duration.ofSeconds(50)));
        result.complete(202);
        assertThat(answered.join()).isEqualTo(202);
        assertThat(replica.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(202)));
        assertThat(other.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(202)));
    }

    @Test
    void aStageThatFailsReleasesTheKeyBeforeTheFailureIsSeen() throws Exception {
        CompletableFuture<Object> result = new CompletableFuture<>();
        CompletableFuture<?> answered = stageOf(replica.deliver("1", Work.returning(result)));
        CompletableFuture<Admission<Object>> retry =
                answered.handle((value, failure) -> unchecked(() -> other.deliver("1", Work.returning(200))));
        Work.Failed failure = new Work.Failed(500);
        result.completeExceptionally(failure);
        assertThatThrownBy(answered::join)
                .isInstanceOf(CompletionException.class)
                .hasCause(failure);
        assertThat(retry.join()).isEqualTo(ran(200));
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500})
    void aStageWithARefusalReleasesTheKey(int status) throws Exception {
        assertThat(stageOf(replica.deliver("1", Work.returning(CompletableFuture.completedFuture(status))))
                        .join())
                .isEqualTo(status);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void aStageThatWasGivenUpOnKeepsItsClaimToTheLeasesEnd() throws Exception {
        for (Throwable givenUp : List.of(
                new CancellationException(),
                new CompletionException(new TimeoutException()),
                new org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException())) {
            String id = givenUp.toString();
            CompletableFuture<Object> result = new CompletableFuture<>();
            CompletableFuture<?> answered = stageOf(replica.deliver(id, Work.returning(result)));
            result.completeExceptionally(givenUp);
            assertThat(answered).isCompletedExceptionally();
            assertThat(replica.deliver(id, Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
            assertThat(other.deliver(id, Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
            time.advance(Replica.LEASE);
            assertThat(replica.deliver(id, Work.returning(200))).isEqualTo(ran(200));
        }
    }

    @Test
    void aForgottenStageFreesItsKeyWhenTheLeaseEnds() throws Exception {
        CompletableFuture<?> forgotten = stageOf(replica.deliver("1", Work.returning(new CompletableFuture<>())));
        time.advance(Replica.LEASE);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
        assertThat(forgotten).isNotDone();
    }

    @Test
    void aStageThatEndsAfterItsLeaseWithoutAnotherOwnerIsRecorded() throws Exception {
        CompletableFuture<Object> result = new CompletableFuture<>();
        CompletableFuture<?> answered = stageOf(replica.deliver("1", Work.returning(result)));
        time.advance(Replica.LEASE.multipliedBy(2));
        result.complete(200);
        assertThat(answered.join()).isEqualTo(200);
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    @Test
    void aStageThatEndsWhileAnotherOwnerRunsFailsAsInFlight() throws Exception {
        CompletableFuture<Object> result = new CompletableFuture<>();
        CompletableFuture<?> answered = stageOf(replica.deliver("1", Work.returning(result)));
        time.advance(Replica.LEASE);
        CompletableFuture<?> owner = stageOf(other.deliver("1", Work.returning(new CompletableFuture<>())));
        time.advance(Duration.ofSeconds(1));
        result.complete(200);
        assertThatThrownBy(answered::join)
                .hasCauseInstanceOf(Work.Overtaken.class)
                .extracting(it -> ((Work.Overtaken) it.getCause()).leaseLeft)
                .isEqualTo(Replica.LEASE.minusSeconds(1));
        assertThat(owner).isNotDone();
    }

    // --- late records

    @Test
    void aLateRecordIsInFlightWhileAnotherOwnerRunsAndLeavesItsClaimAlone() throws Exception {
        CompletableFuture<Object> otherResult = new CompletableFuture<>();
        List<CompletableFuture<?>> owners = new ArrayList<>();
        assertThat(replica.deliver("1", Work.of(left -> {
                    time.advance(Replica.LEASE);
                    owners.add(stageOf(other.deliver("1", Work.returning(otherResult))));
                    time.advance(Duration.ofSeconds(20));
                    return 200;
                })))
                .isEqualTo(inFlight(Duration.ofSeconds(40)));
        assertThat(replica.events).last().isInstanceOf(DeliverySuperseded.class);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(inFlight(Duration.ofSeconds(40)));
        otherResult.complete(201);
        assertThat(owners.get(0).join()).isEqualTo(201);
        assertThat(replica.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(201)));
    }

    @Test
    void aLateRecordAfterAnotherOwnersRecordIsASuccess() throws Exception {
        assertThat(replica.deliver("1", Work.of(left -> {
                    time.advance(Replica.LEASE);
                    assertThat(other.deliver("1", Work.returning(201))).isEqualTo(ran(201));
                    return 200;
                })))
                .isEqualTo(ran(200));
        assertThat(replica.events).last().isInstanceOf(DeliverySuperseded.class);
        assertThat(replica.deliver("1", Work.returning(200)))
                .isEqualTo(new Admission.RecordedBefore<>(RecordedAnswer.of(201)));
    }

    @Test
    void aLateReleaseLeavesTheOtherOwnersClaimAlone() throws Exception {
        assertThat(replica.deliver("1", Work.of(left -> {
                    time.advance(Replica.LEASE);
                    var unused = other.deliver("1", Work.returning(new CompletableFuture<>()));
                    return 500;
                })))
                .isEqualTo(ran(500));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
    }

    // --- outages

    @Test
    void inAnOutageADeliveryRunsOnceOnThisReplicaAndItsRecordIsPaidLater() throws Exception {
        store.set(SwitchableStore.Mode.FAILS_BEFORE);
        Work copy = Work.returning(200);
        assertThat(replica.deliver("1", Work.of(left -> {
                    assertThat(replica.deliver("1", copy)).isEqualTo(inFlight(Replica.LEASE));
                    return 200;
                })))
                .isEqualTo(ran(200));
        assertThat(replica.deliver("1", copy)).isEqualTo(DUPLICATE);
        assertThat(replica.facts.current()).isPresent();
        assertThat(replica.events)
                .contains(
                        new DeliveryAdmitted("github", Replica.key("1").value(), true),
                        new DeliveryRecorded("github", Replica.key("1").value(), 200, true));

        store.set(SwitchableStore.Mode.WORKS);
        replica.guard.payDebts();
        assertThat(replica.facts.current()).isEmpty();
        assertThat(other.deliver("1", copy)).isEqualTo(DUPLICATE);
        assertThat(copy.runs()).isZero();
    }

    @Test
    void theFactStaysWhileARecordIsOwedEvenIfTheStoreTakesOtherWrites() throws Exception {
        store.set(SwitchableStore.Mode.FAILS_BEFORE);
        replica.deliver("1", Work.returning(200));
        store.set(SwitchableStore.Mode.WORKS);
        replica.deliver("2", Work.returning(200));
        assertThat(replica.facts.current()).isPresent();
        replica.guard.payDebts();
        assertThat(replica.facts.current()).isEmpty();
    }

    @Test
    void aRecordThatFailsAfterASuccessIsStillASuccess() throws Exception {
        assertThat(replica.deliver("1", Work.of(left -> {
                    store.set(SwitchableStore.Mode.FAILS_BEFORE);
                    return 200;
                })))
                .isEqualTo(ran(200));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
        store.set(SwitchableStore.Mode.WORKS);
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
        replica.guard.payDebts();
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    @Test
    void aRecordWhoseReplyIsLostIsASuccessAndStaysOne() throws Exception {
        assertThat(replica.deliver("1", Work.of(left -> {
                    store.set(SwitchableStore.Mode.FAILS_AFTER);
                    return 200;
                })))
                .isEqualTo(ran(200));
        store.set(SwitchableStore.Mode.WORKS);
        replica.guard.payDebts();
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
        assertThat(replica.facts.current()).isEmpty();
    }

    @Test
    void aReleaseThatTheStoreDidNotTakeIsPaidLaterAndTheRetryRunsHereAtOnce() throws Exception {
        replica.deliver("1", Work.of(left -> {
            store.set(SwitchableStore.Mode.FAILS_BEFORE);
            return 500;
        }));
        assertThat(replica.deliver("1", Work.returning(500))).isEqualTo(ran(500));
        store.set(SwitchableStore.Mode.WORKS);
        assertThat(other.deliver("1", Work.returning(200))).isInstanceOf(Admission.StillRunning.class);
        replica.guard.payDebts();
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void aSourceThatWouldRatherWaitIsToldSoAndItsHandlerDoesNotRun() throws Exception {
        replica.with(OnOutage.REJECT);
        store.set(SwitchableStore.Mode.FAILS_BEFORE);
        Work work = Work.returning(200);
        assertThat(replica.deliver("1", work)).isEqualTo(new Admission.StoreUnreachable<>());
        assertThat(work.runs()).isZero();
        assertThat(replica.events)
                .containsExactly(new DeliveryDeferred("github", Replica.key("1").value()));
        store.set(SwitchableStore.Mode.WORKS);
        assertThat(replica.deliver("1", work)).isEqualTo(ran(200));
    }

    @Test
    void aClaimWhoseReplyWasLostIsReleasedWhenTheDeliveryIsRefused() throws Exception {
        replica.with(OnOutage.REJECT);
        store.set(SwitchableStore.Mode.FAILS_AFTER);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(new Admission.StoreUnreachable<>());
        store.set(SwitchableStore.Mode.WORKS);
        replica.guard.payDebts();
        assertThat(other.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void aClaimWhoseReplyWasLostIsKeptByTheDeliveryThatRunsAllTheSame() throws Exception {
        store.set(SwitchableStore.Mode.FAILS_AFTER);
        assertThat(replica.deliver("1", Work.of(left -> {
                    store.set(SwitchableStore.Mode.WORKS);
                    assertThat(other.deliver("1", Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
                    return 200;
                })))
                .isEqualTo(ran(200));
        assertThat(inStore("1")).isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200)));
    }

    @Test
    void aDeliveryThatThisReplicaRemembersNeedsNoStore() throws Exception {
        replica.with(OnOutage.REJECT);
        replica.deliver("1", Work.returning(200));
        store.set(SwitchableStore.Mode.FAILS_BEFORE);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    // --- listeners and faults of our own

    @Test
    void everyOutcomeIsTold() throws Exception {
        replica.with(FingerprintBy.BODY);
        DeliveryKey key = Replica.key("1");
        replica.deliver("1", "a", Work.returning(503));
        assertThatThrownBy(() -> replica.deliver("1", "a", Work.failing(new CancellationException())))
                .isInstanceOf(CancellationException.class);
        time.advance(Replica.LEASE);
        replica.deliver("1", "a", Work.of(left -> {
            replica.deliver("1", "a", Work.returning(200));
            return 200;
        }));
        replica.deliver("1", "a", Work.returning(200));
        replica.deliver("1", "b", Work.returning(200));
        assertThat(replica.events)
                .containsExactly(
                        new DeliveryAdmitted("github", key.value(), false),
                        new DeliveryReleased("github", key.value(), 503),
                        new DeliveryAdmitted("github", key.value(), false),
                        new DeliveryUnfinished("github", key.value()),
                        new DeliveryAdmitted("github", key.value(), false),
                        new DeliveryInFlight("github", key.value()),
                        new DeliveryRecorded("github", key.value(), 200, false),
                        new DuplicateDelivered("github", key.value(), 200),
                        new KeyReusedWithOtherBody("github", key.value()));
    }

    @Test
    void aListenerThatThrowsChangesNothing() throws Exception {
        for (Throwable thrown : List.of(new IllegalStateException("listener"), new NoClassDefFoundError("listener"))) {
            AdmissionEngine engine = new AdmissionEngine(
                    replica.guard,
                    LIMITS,
                    event -> AdmissionEngineTest.<RuntimeException>sneak(thrown),
                    time,
                    Runnable::run);
            PreparedDelivery delivery = replica.delivery(thrown.toString(), "{}");
            assertThat(engine.admit(delivery, Work.returning(500))).isEqualTo(ran(500));
            assertThat(engine.admit(delivery, Work.returning(200))).isEqualTo(ran(200));
            assertThat(engine.admit(delivery, Work.returning(200))).isEqualTo(DUPLICATE);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void aHandlerWhoseEndCannotBeJudgedHoldsItsKeyToTheLeasesEndAndNoLonger() throws Exception {
        PreparedDelivery delivery = replica.delivery("1", "{}");
        assertThatThrownBy(() -> replica.engine.admit(delivery, Work.returning(999)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(inFlight(Replica.LEASE));
        time.advance(Replica.LEASE);
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
    }

    @Test
    void aFaultOfTheStoreOtherThanItsAbsenceHoldsNoKeyAndLosesNoSuccess() throws Exception {
        Replica alone = new Replica(store, time).with(OnOutage.REJECT);
        store.set(SwitchableStore.Mode.BREAKS);
        assertThatThrownBy(() -> alone.deliver("1", Work.returning(200))).isInstanceOf(IllegalStateException.class);
        store.set(SwitchableStore.Mode.WORKS);
        assertThat(alone.deliver("1", Work.of(left -> {
                    store.set(SwitchableStore.Mode.BREAKS);
                    return 200;
                })))
                .isEqualTo(ran(200));
        store.set(SwitchableStore.Mode.WORKS);
        time.advance(Replica.LEASE);
        assertThat(alone.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
    }

    // --- prepare

    @Test
    void theKeyIsFixedAtTheClaimWhateverTheHandlerDoesToTheMessage() throws Exception {
        SourcePolicy policy = Replica.policy(FingerprintBy.BODY, RecordOn.SUCCESS, OnOutage.ADMIT);
        List<String> header = new ArrayList<>(List.of("1"));
        SourcePolicy aliasing = policy.withKeys((request, body) -> new KeyResolver.Resolution.KeyParts(header));
        var ready = (Preparation.Ready) replica.engine.prepare(new SentRequest().withBody("abc"), aliasing);
        assertThat(replica.engine.admit(ready.delivery(), Work.of(left -> {
                    header.set(0, "2");
                    ready.body()[0] = 'x';
                    return 200;
                })))
                .isEqualTo(ran(200));
        other.with(FingerprintBy.BODY);
        assertThat(other.deliver("1", "abc", Work.returning(200))).isEqualTo(DUPLICATE);
        assertThat(other.deliver("2", "abc", Work.returning(201))).isEqualTo(ran(201));
    }

    @Test
    void aStageThatHasYetToEndIsNotQuiet() throws Exception {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        replica.deliver("1", Work.returning(stage));
        assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isFalse();
        stage.complete(200);
        assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isTrue();
    }

    @Test
    void aDeliveryWhoseStoreIsStillAskedIsNotQuiet() throws Exception {
        store.beforeTheNextAnswer(() -> assertThat(unchecked(() -> replica.engine.awaitQuiet(Duration.ZERO)))
                .isFalse());
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(ran(200));
        assertThat(replica.deliver("1", Work.returning(200))).isEqualTo(DUPLICATE);
        assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isTrue();
    }

    @Test
    void quietIsWhenNoHandlerRunsAnyMore() throws Exception {
        Replica replica = new Replica(new MemoryStore(100, time, evicted -> {}), time);
        assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isTrue();
        replica.deliver("1", Work.of(leaseLeft -> {
            assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isFalse();
            return 200;
        }));
        assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isTrue();
    }
}
