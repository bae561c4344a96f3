package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.event.DuplicateDelivered;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What becomes of the copies of a recorded delivery, where they are not only acknowledged. */
class DuplicatesTest {
    private static final RecordedAnswer ANSWER = new RecordedAnswer(201, "answer");
    private static final RecordedAnswer LARGE =
            new RecordedAnswer(201, "x".repeat((int) AnswerCache.DEFAULT_SIZE - 201));

    private final SettableClock time = new SettableClock();
    private final SwitchableStore store = new SwitchableStore(new MemoryStore(1000, time, until -> {}));
    private final Replica replica = new Replica(store, time);
    private final Replica other = new Replica(store, time);
    private final Work again = Work.returning(500);

    private void both(Duplicates duplicates) {
        replica.with(duplicates);
        other.with(duplicates);
    }

    private static Admission<Object> duplicate(RecordedAnswer answer) {
        return new Admission.RecordedBefore<>(answer);
    }

    // --- replay

    @Test
    void aReplayedDuplicateGetsTheFirstAnswerOnEveryReplica() throws Exception {
        both(Duplicates.REPLAY);
        replica.deliver("1", Work.returning(ANSWER));

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(ANSWER));
        assertThat(other.deliver("1", again)).isEqualTo(duplicate(ANSWER));
        assertThat(again.runs()).isZero();
        assertThat(replica.events)
                .contains(new DuplicateDelivered("github", Replica.key("1").value(), 201));
    }

    @Test
    void aStagesAnswerIsReplayedToo() throws Exception {
        both(Duplicates.REPLAY);
        replica.deliver("1", Work.returning(CompletableFuture.completedFuture(ANSWER)));

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(ANSWER));
        assertThat(other.deliver("1", again)).isEqualTo(duplicate(ANSWER));
    }

    @Test
    void aFailureThatRecordOnKeepsIsReplayed() throws Exception {
        both(Duplicates.REPLAY);
        replica.with(RecordOn.CLIENT_ERROR);
        RecordedAnswer refusal = new RecordedAnswer(422, "why");
        replica.deliver("1", Work.returning(refusal));

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(refusal));
        assertThat(other.deliver("1", again)).isEqualTo(duplicate(refusal));
    }

    @Test
    void aReplicaThatDoesNotHoldTheAnswerAsksTheStoreForIt() throws Exception {
        both(Duplicates.REPLAY);
        replica.deliver("1", Work.returning(ANSWER));
        replica.deliver("other", Work.returning(LARGE)); // drives the first one's answer out

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(ANSWER));
        assertThat(store.calls()).containsExactly("reserve", "record", "reserve", "record", "find");
    }

    @Test
    void anAnswerThatCannotBeFetchedIsAcknowledgedAndNothingRunsAgain() throws Exception {
        both(Duplicates.REPLAY);
        replica.deliver("1", Work.returning(ANSWER));
        replica.deliver("other", Work.returning(LARGE));
        store.set(SwitchableStore.Mode.FAILS_BEFORE);

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(RecordedAnswer.of(201)));
        assertThat(again.runs()).isZero();
        assertThat(replica.facts.current()).isPresent();
    }

    @Test
    void anAnswerThatTheStoreHasLostIsAcknowledgedAndItsKeyIsNotClaimed() throws Exception {
        SwitchableStore small = new SwitchableStore(new MemoryStore(1, time, until -> {}));
        Replica alone = new Replica(small, time).with(Duplicates.REPLAY);
        alone.deliver("1", Work.returning(200));
        alone.deliver("drives it out", Work.returning(200));

        assertThat(alone.deliver("1", again)).isEqualTo(duplicate(RecordedAnswer.of(200)));
        assertThat(small.inner().find(Replica.key("1"))).isEmpty();
        assertThat(again.runs()).isZero();
    }

    @Test
    void anAnswerIsReplayedDuringAnOutageByTheReplicaThatHoldsIt() throws Exception {
        both(Duplicates.REPLAY);
        replica.deliver("1", Work.of(lease -> {
            store.set(SwitchableStore.Mode.FAILS_BEFORE);
            return ANSWER;
        }));

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(ANSWER));
        store.set(SwitchableStore.Mode.WORKS);
        replica.guard.payDebts();
        assertThat(other.deliver("1", again)).isEqualTo(duplicate(ANSWER));
    }

    @Test
    void anotherBodyAndACopyThatRunsAreToldBeforeAnythingIsReplayed() throws Exception {
        both(Duplicates.REPLAY);
        replica.with(FingerprintBy.BODY);
        other.with(FingerprintBy.BODY);
        replica.deliver("1", "one", Work.of(lease -> {
            assertThat(replica.deliver("1", "one", again)).isInstanceOf(Admission.StillRunning.class);
            assertThat(other.deliver("1", "one", again)).isInstanceOf(Admission.StillRunning.class);
            return ANSWER;
        }));

        assertThat(replica.deliver("1", "two", again)).isEqualTo(new Admission.FingerprintMismatch<>());
        assertThat(other.deliver("1", "two", again)).isEqualTo(new Admission.FingerprintMismatch<>());
        assertThat(again.runs()).isZero();
    }

    @Test
    void aSourceThatAcknowledgesDoesNotShowAnAnswerThatWasKeptBefore() throws Exception {
        replica.deliver("1", Work.returning(ANSWER));

        assertThat(replica.deliver("1", again)).isEqualTo(duplicate(RecordedAnswer.of(201)));
        assertThat(other.deliver("1", again)).isEqualTo(duplicate(RecordedAnswer.of(201)));
    }

    // --- forward

    @Test
    void aForwardedDuplicateReachesTheHandlerFlagged() throws Exception {
        both(Duplicates.FORWARD);
        replica.deliver("1", Work.of(lease -> {
            assertThat(lease.isDuplicate()).isFalse();
            return 200;
        }));
        Work flagged = Work.of(lease -> {
            assertThat(lease.isDuplicate()).isTrue();
            assertThat(lease.left()).isZero();
            assertThat(lease.stillOwned()).isFalse();
            lease.onLost(() -> {
                throw new AssertionError("nothing can be lost");
            });
            return 202;
        });

        assertThat(replica.deliver("1", flagged)).isEqualTo(new Admission.HandlerEnded<>(202));
        assertThat(other.deliver("1", flagged)).isEqualTo(new Admission.HandlerEnded<>(202));
        assertThat(flagged.runs()).isEqualTo(2);
    }

    @Test
    void howAForwardedDuplicateEndsChangesNothingInTheStore() throws Exception {
        both(Duplicates.FORWARD);
        replica.deliver("1", Work.returning(200));
        Reservation before = store.inner().find(Replica.key("1")).orElseThrow();
        int asked = store.calls().size();
        Work.Failed failure = new Work.Failed(500);
        assertThatThrownBy(() -> replica.deliver("1", Work.failing(failure))).isSameAs(failure);
        assertThat(replica.deliver("1", Work.returning(404))).isEqualTo(new Admission.HandlerEnded<>(404));
        replica.engine.renewLeases(Replica.LEASE);
        CompletableFuture<Object> stage = new CompletableFuture<>();
        assertThat(replica.deliver("1", Work.returning(stage))).isEqualTo(new Admission.HandlerEnded<>(stage));
        stage.completeExceptionally(failure);
        assertThatThrownBy(() -> other.deliver("1", Work.failing(failure))).isSameAs(failure);

        assertThat(store.inner().find(Replica.key("1"))).contains(before);
        assertThat(store.calls().subList(asked, store.calls().size()))
                .containsExactly("reserve"); // the other replica's
        assertThat(replica.events)
                .extracting(it -> it.getClass().getSimpleName())
                .containsExactly(
                        "DeliveryAdmitted",
                        "DeliveryRecorded",
                        "DuplicateDelivered",
                        "DuplicateDelivered",
                        "DuplicateDelivered");
        assertThat(replica.engine.awaitQuiet(Duration.ZERO)).isTrue();
    }

    @Test
    void aDuplicateIsNeverForwardedWhileTheFirstOneRuns() throws Exception {
        both(Duplicates.FORWARD);
        CompletableFuture<Object> stage = new CompletableFuture<>();
        CompletionStage<?> first = (CompletionStage<?>)
                ((Admission.HandlerEnded<Object>) replica.deliver("1", Work.returning(stage))).result();
        assertThat(replica.deliver("1", again)).isInstanceOf(Admission.StillRunning.class);
        assertThat(other.deliver("1", again)).isInstanceOf(Admission.StillRunning.class);
        stage.complete(200);
        assertThat(first.toCompletableFuture().join()).isEqualTo(200);
        assertThat(other.deliver("1", Work.returning(202))).isEqualTo(new Admission.HandlerEnded<>(202));
        assertThat(again.runs()).isZero();
    }

    @Test
    void anotherBodyIsNotForwarded() throws Exception {
        both(Duplicates.FORWARD);
        replica.with(FingerprintBy.BODY);
        other.with(FingerprintBy.BODY);
        replica.deliver("1", "one", Work.returning(200));

        assertThat(replica.deliver("1", "two", again)).isEqualTo(new Admission.FingerprintMismatch<>());
        assertThat(other.deliver("1", "two", again)).isEqualTo(new Admission.FingerprintMismatch<>());
        assertThat(again.runs()).isZero();
    }
}
