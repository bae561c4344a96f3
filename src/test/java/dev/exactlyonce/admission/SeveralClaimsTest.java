package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.event.DeliveryRecorded;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A delivery whose body must be new, whatever its key is. */
class SeveralClaimsTest {
    private final SettableClock time = new SettableClock();
    private final SwitchableStore store = new SwitchableStore(new MemoryStore(1000, time, until -> {}));
    private final Replica replica = new Replica(store, time);
    private final Replica other = new Replica(store, time);
    private final Work work = Work.returning(200);
    private final Work again = Work.returning(200);

    private static Admission<Object> deliver(Replica to, String id, String body, Work handler) throws Exception {
        return deliver(to, id, body, handler, RecordOn.SUCCESS, OnOutage.ADMIT);
    }

    private static Admission<Object> deliver(
            Replica to, String id, String body, Work handler, RecordOn recordOn, OnOutage onOutage) throws Exception {
        SourcePolicy policy = Replica.policy(SourcePolicy.FingerprintBy.NONE, recordOn, onOutage)
                .withKeys(
                        (request, bytes) -> new KeyResolver.Resolution.KeyParts(request.header("id")).andBodyToBeNew());
        Preparation prepared =
                to.engine.prepare(new SentRequest().withHeader("id", id).withBody(body), policy);
        return to.engine.admit(((Preparation.Ready) prepared).delivery(), handler);
    }

    @Test
    void aCapturedRequestUnderANewIdIsADuplicateOnEveryReplica() throws Exception {
        assertThat(deliver(replica, "1", "{}", work)).isEqualTo(new Admission.HandlerEnded<>(200));

        assertThat(deliver(replica, "2", "{}", again)).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(deliver(other, "3", "{}", again)).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(deliver(other, "1", "{}", again)).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(again.runs()).isZero();
        assertThat(deliver(other, "2", "{\"other\":1}", again)).isEqualTo(new Admission.HandlerEnded<>(200));
    }

    @Test
    void aKeyWithAnotherBodyIsADuplicateAllTheSame() throws Exception {
        deliver(replica, "1", "{}", work);
        assertThat(deliver(other, "1", "{\"other\":1}", again)).isInstanceOf(Admission.RecordedBefore.class);
    }

    @Test
    void aCopyUnderANewIdOfWhatStillRunsIsInFlightAndItsOwnIdIsFreeAgain() throws Exception {
        deliver(replica, "1", "{}", Work.of(lease -> {
            assertThat(deliver(replica, "2", "{}", again)).isInstanceOf(Admission.StillRunning.class);
            assertThat(deliver(other, "2", "{}", again)).isInstanceOf(Admission.StillRunning.class);
            assertThat(deliver(other, "2", "{\"new\":1}", work)).isInstanceOf(Admission.HandlerEnded.class);
            return 200;
        }));
        assertThat(again.runs()).isZero();
    }

    @Test
    void alsoWhereEveryFailureIsRecorded() {
        Work failing = Work.of(lease -> {
            assertThat(deliver(other, "2", "{}", again, RecordOn.ALWAYS, OnOutage.ADMIT))
                    .isInstanceOf(Admission.StillRunning.class);
            assertThat(deliver(other, "2", "{\"new\":1}", again)).isEqualTo(new Admission.HandlerEnded<>(200));
            throw new Work.Failed(503);
        });
        assertThatThrownBy(() -> deliver(replica, "1", "{}", failing)).isInstanceOf(Work.Failed.class);
    }

    @Test
    void workThatFailsFreesBothKeys() throws Exception {
        assertThatThrownBy(() -> deliver(replica, "1", "{}", Work.failing(new Work.Failed(500))))
                .isInstanceOf(Work.Failed.class);

        assertThat(deliver(other, "2", "{}", work)).isEqualTo(new Admission.HandlerEnded<>(200));
        assertThat(deliver(replica, "1", "{\"new\":1}", work)).isEqualTo(new Admission.HandlerEnded<>(200));
    }

    @Test
    void workThatWasGivenUpOnKeepsBothKeys() throws Exception {
        assertThatThrownBy(() -> deliver(replica, "1", "{}", Work.failing(new CancellationException())))
                .isInstanceOf(CancellationException.class);

        assertThat(deliver(other, "2", "{}", again)).isInstanceOf(Admission.StillRunning.class);
        assertThat(deliver(other, "1", "{\"new\":1}", again)).isInstanceOf(Admission.StillRunning.class);
        time.advance(Replica.LEASE);
        assertThat(deliver(other, "1", "{}", again)).isEqualTo(new Admission.HandlerEnded<>(200));
    }

    @Test
    void aStageHoldsBothKeysUntilItEnds() throws Exception {
        CompletableFuture<Object> end = new CompletableFuture<>();
        Admission<Object> ran = deliver(replica, "1", "{}", Work.returning(end));

        assertThat(deliver(other, "2", "{}", again)).isInstanceOf(Admission.StillRunning.class);
        assertThat(deliver(other, "1", "{\"new\":1}", again)).isInstanceOf(Admission.StillRunning.class);
        end.complete(200);
        assertThat(((CompletionStage<?>) ((Admission.HandlerEnded<Object>) ran).result())
                        .toCompletableFuture()
                        .join())
                .isEqualTo(200);
        assertThat(deliver(other, "2", "{}", again)).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(deliver(other, "1", "{\"new\":1}", again)).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(again.runs()).isZero();
    }

    @Test
    void aStageThatWasOvertakenIsNotRecordedUnderItsOwnKeyEither() throws Exception {
        CompletableFuture<Object> end = new CompletableFuture<>();
        CompletableFuture<Object> others = new CompletableFuture<>();
        deliver(replica, "1", "{}", Work.returning(end), RecordOn.ALWAYS, OnOutage.ADMIT);
        time.advance(Replica.LEASE.plusSeconds(1));
        deliver(other, "2", "{}", Work.returning(others));
        end.complete(200);
        others.completeExceptionally(new Work.Failed(500));

        assertThat(deliver(other, "1", "{}", again)).isEqualTo(new Admission.HandlerEnded<>(200));
    }

    @Test
    void bothKeysAreRenewedWhileTheHandlerRuns() throws Exception {
        deliver(replica, "1", "{}", Work.of(lease -> {
            for (int i = 0; i < 10; i++) {
                time.advance(Replica.LEASE.dividedBy(3));
                replica.engine.renewLeases(Replica.LEASE.dividedBy(3));
            }
            assertThat(lease.stillOwned()).isTrue();
            assertThat(deliver(other, "2", "{}", again)).isInstanceOf(Admission.StillRunning.class);
            assertThat(deliver(other, "1", "{\"new\":1}", again)).isInstanceOf(Admission.StillRunning.class);
            return 200;
        }));
    }

    @Test
    void inAnOutageTheSourceDecidesAndNothingIsLeftHeld() throws Exception {
        store.set(SwitchableStore.Mode.FAILS_BEFORE);
        assertThat(deliver(replica, "1", "{}", work, RecordOn.SUCCESS, OnOutage.REJECT))
                .isInstanceOf(Admission.StoreUnreachable.class);
        assertThat(deliver(replica, "1", "{}", work)).isEqualTo(new Admission.HandlerEnded<>(200));
        assertThat(deliver(replica, "2", "{}", again)).isInstanceOf(Admission.RecordedBefore.class);
        store.set(SwitchableStore.Mode.WORKS);
        replica.guard.flushPending();
        assertThat(deliver(other, "2", "{}", again)).isInstanceOf(Admission.RecordedBefore.class);
        assertThat(deliver(other, "1", "{\"new\":1}", again)).isInstanceOf(Admission.RecordedBefore.class);
    }

    @Test
    void theKeyOfABodyIsNoDeliverysOwn() throws Exception {
        deliver(replica, "1", "{}", work);

        assertThat(replica.events)
                .filteredOn(DeliveryRecorded.class::isInstance)
                .map(it -> ((DeliveryRecorded) it).key())
                .satisfiesExactly(
                        body -> assertThat(body).startsWith("github:POST/app/hooks%23body:"),
                        own -> assertThat(own).isEqualTo("github:POST/app/hooks:1"));
    }

    @Test
    void aRefusedBodyReleasesTheDeliverysOwnClaim() throws Exception {
        deliver(replica, "1", "{}", work);
        deliver(replica, "2", "{}", again);

        assertThat(replica.events)
                .extracting(it -> it.getClass().getSimpleName())
                .containsExactly(
                        "DeliveryAdmitted",
                        "DeliveryAdmitted",
                        "DeliveryRecorded",
                        "DeliveryRecorded",
                        "DeliveryAdmitted",
                        "DuplicateDelivered",
                        "DeliveryReleased");
        assertThat(store.inner().find(Replica.key("2"))).isEmpty();
        assertThat(replica.engine.awaitQuiet(java.time.Duration.ZERO)).isTrue();
    }

    @Test
    void aStoreThatFailsAtTheSecondClaimLeavesNothingHeldAndNothingRecorded() throws Exception {
        store.beforeTheNextAnswer(() -> store.set(SwitchableStore.Mode.FAILS_BEFORE));
        assertThat(deliver(other, "2", "{}", again, RecordOn.ALWAYS, OnOutage.REJECT))
                .isInstanceOf(Admission.StoreUnreachable.class);
        assertThat(store.inner().find(Replica.key("2"))).isPresent();
        store.set(SwitchableStore.Mode.WORKS);
        other.guard.flushPending();
        assertThat(store.inner().find(Replica.key("2"))).isEmpty();
        assertThat(again.runs()).isZero();
    }
}
