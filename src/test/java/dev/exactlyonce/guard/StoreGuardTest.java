package dev.exactlyonce.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.admission.SwitchableStore;
import dev.exactlyonce.admission.SwitchableStore.Mode;
import dev.exactlyonce.event.DurabilityEvent;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.DelegatingStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreGuardTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String REASON = "store away (dedup best-effort)";
    private static final String HINT = "look at the disk";

    private final SettableClock clock = new SettableClock();
    private final SwitchableStore store =
            new SwitchableStore(new MemoryStore(MemoryStore.DEFAULT_CAPACITY, clock, evicted -> {}));
    private final List<DurabilityEvent> events = new ArrayList<>();
    private final DegradedFacts facts = new DegradedFacts(clock, events::add);
    private final StoreGuard guard = new StoreGuard(store, new OutageTexts(REASON, HINT, "memory"), facts, clock);

    private static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("github", "POST /hooks", List.of(part)), Fingerprint.NONE, LEASE);
    }

    private static Claim rivalOf(Claim claim) {
        return Claim.fresh(claim.key(), claim.fingerprint(), claim.lease());
    }

    private Claim held(String part) {
        Claim claim = claim(part);
        assertThat(guard.reserve(claim)).isInstanceOf(Reservation.Granted.class);
        return claim;
    }

    private Claim pendingClaim(String part) {
        Claim claim = held(part);
        store.set(Mode.FAILS_BEFORE);
        assertThat(guard.record(claim, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Pending.class);
        store.set(Mode.WORKS);
        return claim;
    }

    private void failOnce() {
        store.set(Mode.FAILS_BEFORE);
        assertThatThrownBy(() -> guard.reserve(claim("failing"))).isInstanceOf(StoreUnavailableException.class);
        store.set(Mode.WORKS);
    }

    private void assertDegraded() {
        assertThat(facts.current()).map(DegradedFact::reason).contains(REASON);
    }

    private void assertSound() {
        assertThat(facts.current()).isEmpty();
    }

    private Reservation inStore(Claim claim) {
        return store.inner().reserve(claim);
    }

    @Test
    void aStoreThatIsThereOnlyAfterAMomentIsWaitedForAtTheStart() {
        AtomicInteger probes = new AtomicInteger();
        DelegatingStore slow = new DelegatingStore(store) {
            @Override
            public void probe() {
                clock.advance(Duration.ofSeconds(2)); // as one that waits for a lock
                if (probes.incrementAndGet() < 4) {
                    throw new StoreUnavailableException("locked");
                }
                super.probe();
            }
        };
        new StoreGuard(slow, new OutageTexts(REASON, HINT, "memory"), facts, clock).check();

        assertSound();
        assertThat(events).isEmpty();
    }

    @Test
    void aStoreThatStaysAwayIsWaitedForTenSecondsAtTheStart() {
        Instant began = clock.instant();
        DelegatingStore away = new DelegatingStore(store) {
            @Override
            public void probe() {
                clock.advance(Duration.ofSeconds(2));
                throw new StoreUnavailableException("locked");
            }
        };
        new StoreGuard(away, new OutageTexts(REASON, HINT, "memory"), facts, clock).check();

        assertDegraded();
        assertThat(Duration.between(began, clock.instant())).isLessThanOrEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void afterALossTheClaimsAreRenewedBeforeTheRecordsAreWrittenAndNotWhileTheStoreIsAway() {
        List<String> order = new ArrayList<>();
        Claim done = claim("done");
        guard.backfill();
        failOnce();
        store.set(Mode.FAILS_BEFORE);
        guard.tick(
                () -> List.of(LocalEntry.recorded(done, RecordedAnswer.of(200), TTL, clock.getAsLong())),
                () -> order.add("renewed"));
        assertThat(order).isEmpty();

        store.set(Mode.WORKS);
        clock.advance(SECOND.multipliedBy(2));
        guard.probe();
        store.beforeTheNextCall(() -> order.add("recorded"));
        guard.tick(
                () -> List.of(LocalEntry.recorded(done, RecordedAnswer.of(200), TTL, clock.getAsLong())),
                () -> order.add("renewed"));
        guard.tick(List::of, () -> order.add("renewed again"));
        assertThat(order).startsWith("renewed").doesNotContain("renewed again");
        assertThat(inStore(rivalOf(done))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void nothingIsDegradedWhileTheStoreWorks() {
        Claim mine = held("k");
        guard.record(mine, RecordedAnswer.of(200), TTL);
        guard.release(mine);
        guard.flushPending();
        guard.probe();

        assertSound();
        assertThat(events).isEmpty();
        assertThat(guard.storeInUse("sqlite")).isEqualTo("sqlite");
        assertThat(store.calls()).containsExactly("reserve", "record", "release");
    }

    @Test
    void anOutageIsToldInTheGivenWordsWithItsBeginning() {
        Instant began = clock.instant();
        failOnce();
        clock.advance(SECOND);
        failOnce();

        assertThat(facts.current()).contains(new DegradedFact(REASON, began, HINT));
        assertThat(guard.storeInUse("sqlite")).isEqualTo("memory");
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"FAILS_BEFORE", "FAILS_AFTER"})
    void everyOperationThatFailsRaisesTheFact(Mode failing) {
        Claim mine = held("k");
        store.set(failing);
        assertThat(guard.record(mine, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Pending.class);
        assertDegraded();
        store.set(Mode.WORKS);
        guard.flushPending();
        assertSound();

        Claim other = held("other");
        store.set(failing);
        guard.release(other);
        assertDegraded();
    }

    @Test
    void aGrantStartedAfterTheFailureClearsTheFact() {
        failOnce();
        held("next");

        assertSound();
    }

    @Test
    void aReleaseThatFreedAKeyClearsTheFact() {
        Claim mine = held("k");
        failOnce();
        guard.release(mine);

        assertSound();
    }

    @Test
    void aReleaseThatFreedNothingDoesNotClearTheFact() {
        failOnce();
        guard.release(claim("k"));

        assertDegraded();
    }

    @Test
    void aRenewalThatIsAnsweredForSomeClaimsIsTroubleAndRenewsThem() {
        Claim mine = claim("mine");
        Claim other = claim("other");
        IdempotencyStore half = new DelegatingStore(store) {
            @Override
            public List<Renewal> renewAll(List<Claim> claims) {
                List<Renewal> answers = new ArrayList<>(super.renewAll(claims));
                answers.set(claims.indexOf(other), new Renewal.Unanswered(new StoreUnavailableException("half")));
                return answers;
            }
        };
        StoreGuard halfGuarded = new StoreGuard(half, new OutageTexts(REASON, HINT, "memory"), facts, clock);

        assertThat(halfGuarded.renewAll(List.of(other, mine)))
                .satisfiesExactly(
                        it -> assertThat(it).isInstanceOf(Renewal.Unanswered.class),
                        it -> assertThat(it).isEqualTo(Renewal.HELD));
        assertDegraded();
        assertThat(halfGuarded.renewAll(List.of(mine, other)))
                .satisfiesExactly(
                        it -> assertThat(it).isEqualTo(Renewal.HELD),
                        it -> assertThat(it).isInstanceOf(Renewal.Unanswered.class));
        assertDegraded();
    }

    @Test
    void aTakenKeyIsOnlyReadAndDoesNotClearTheFact() {
        Claim mine = held("k");
        Claim done = held("done");
        guard.record(done, RecordedAnswer.of(200), TTL);
        failOnce();

        assertThat(guard.reserve(rivalOf(mine))).isInstanceOf(Reservation.AlreadyClaimed.class);
        assertThat(guard.reserve(rivalOf(done))).isInstanceOf(Reservation.AlreadyRecorded.class);
        assertDegraded();
    }

    @Test
    void anOwedRecordKeepsItsAnswerForWhoeverAsksAndForTheStore() {
        Claim mine = held("k");
        RecordedAnswer answer = new RecordedAnswer(201, "bytes");
        Reservation recorded = new Reservation.AlreadyRecorded(Fingerprint.NONE, answer);
        store.set(Mode.FAILS_BEFORE);
        assertThat(guard.record(mine, answer, TTL)).isInstanceOf(Recording.Pending.class);
        assertThat(guard.find(mine.key())).contains(recorded);
        assertThat(guard.reserve(rivalOf(mine))).isEqualTo(recorded);
        store.set(Mode.WORKS);
        guard.flushPending();

        assertThat(inStore(rivalOf(mine))).isEqualTo(recorded);
    }

    @Test
    void anOutageThatOwesMoreAnswersThanFitKeepsTheLatestAndRecordsAll() {
        String large = "x".repeat(1 << 20);
        List<Claim> claims =
                IntStream.range(0, 17).mapToObj(it -> held("k" + it)).toList();
        store.set(Mode.FAILS_BEFORE);
        claims.forEach(it -> guard.record(it, new RecordedAnswer(200, large), TTL));
        store.set(Mode.WORKS);
        guard.flushPending();

        assertThat(inStore(rivalOf(claims.get(0))))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200)));
        assertThat(inStore(rivalOf(claims.get(16))))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, new RecordedAnswer(200, large)));
    }

    @Test
    void aSearchThatFailsIsAnOutageAndOneThatDoesNotProvesNothing() {
        Claim mine = held("k");
        store.set(Mode.FAILS_BEFORE);
        assertThatThrownBy(() -> guard.find(mine.key())).isInstanceOf(StoreUnavailableException.class);
        assertDegraded();
        store.set(Mode.WORKS);

        assertThat(guard.find(mine.key())).containsInstanceOf(Reservation.AlreadyClaimed.class);
        assertDegraded();
    }

    @Test
    void aSupersededRecordDoesNotClearTheFact() {
        Claim late = held("k");
        clock.advance(LEASE);
        held("k");
        failOnce();

        assertThat(guard.record(late, RecordedAnswer.of(200), TTL))
                .isEqualTo(new Recording.OwnedByAnother(true, LEASE));
        assertDegraded();
    }

    @Test
    void aLateReplyOfACallThatBeganBeforeTheFailureDoesNotClearTheFact() {
        store.beforeTheNextAnswer(this::failOnce);
        held("slow");
        assertDegraded();

        Claim mine = claim("k");
        inStore(mine);
        store.beforeTheNextAnswer(this::failOnce);
        assertThat(guard.record(mine, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
        assertDegraded();

        Claim freed = claim("freed");
        inStore(freed);
        store.beforeTheNextAnswer(this::failOnce);
        guard.release(freed);
        assertDegraded();

        store.beforeTheNextAnswer(this::failOnce);
        guard.check();
        assertDegraded();
    }

    @Test
    void anOwedRecordKeepsTheFactUpHoweverManyWritesSucceed() {
        pendingClaim("k");
        held("other");
        guard.check();

        assertDegraded();
    }

    @Test
    void anOwedRecordIsPaidInTheBackgroundAndTheFactGoes() {
        Claim mine = pendingClaim("k");
        clock.advance(SECOND);
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(mine)))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200)));
    }

    @Test
    void anOwedRecordIsPaidAlsoAfterItsLeaseHasEnded() {
        Claim mine = pendingClaim("k");
        clock.advance(LEASE.multipliedBy(2));
        guard.flushPending();

        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void anOwedRecordEndsWhenItsTtlCountedFromTheHandlersEndDoes() {
        Claim mine = pendingClaim("k");
        clock.advance(TTL.dividedBy(2));
        guard.flushPending();
        clock.advance(TTL.dividedBy(2));

        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void anOwedRecordWhoseLostCallHadBeenAppliedIsPaid() {
        Claim mine = held("k");
        store.set(Mode.FAILS_AFTER);
        guard.record(mine, RecordedAnswer.of(200), TTL);
        store.set(Mode.WORKS);
        assertDegraded();
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void anOwedRecordOfABestEffortAdmissionIsPaid() {
        Claim mine = claim("k");
        store.set(Mode.FAILS_BEFORE);
        assertThatThrownBy(() -> guard.reserve(mine)).isInstanceOf(StoreUnavailableException.class);
        guard.record(mine, RecordedAnswer.of(200), TTL);
        store.set(Mode.WORKS);
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void anOwedRecordIsTriedUntilItIsTaken() {
        Claim mine = pendingClaim("k");
        for (Mode failing : List.of(Mode.FAILS_BEFORE, Mode.FAILS_BEFORE, Mode.FAILS_AFTER)) {
            store.set(failing);
            guard.flushPending();
            assertDegraded();
        }
        store.set(Mode.WORKS);
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void payingStopsWhenTheStoreIsAway() {
        for (String part : List.of("a", "b", "c", "d", "e")) {
            pendingClaim(part);
        }
        int before = store.calls().size();
        store.set(Mode.FAILS_BEFORE);
        guard.flushPending();

        assertThat(store.calls()).hasSize(before + 3);
    }

    @Test
    void aDebtThatTheStoreDoesNotTakeStopsNoneBehindIt() {
        Claim poisoned = pendingClaim("poisoned");
        Claim behind = pendingClaim("behind");
        store.set(Mode.FAILS_BEFORE);
        store.beforeTheNextCall(() -> store.beforeTheNextCall(() -> store.set(Mode.WORKS)));
        guard.flushPending();
        assertThat(inStore(rivalOf(behind))).isInstanceOf(Reservation.AlreadyRecorded.class);
        assertDegraded();

        guard.flushPending();
        assertThat(inStore(rivalOf(poisoned))).isInstanceOf(Reservation.AlreadyRecorded.class);
        assertSound();
    }

    @Test
    void everyDebtIsPaidInOnePass() {
        List<Claim> claims = List.of(pendingClaim("one"), pendingClaim("two"), pendingClaim("three"));
        guard.flushPending();

        assertSound();
        assertThat(claims)
                .allSatisfy(
                        claim -> assertThat(inStore(rivalOf(claim))).isInstanceOf(Reservation.AlreadyRecorded.class));
    }

    @Test
    void anOwedRecordThatAnotherOwnerSupersededIsDropped() {
        Claim late = pendingClaim("k");
        clock.advance(LEASE);
        Claim now = claim("k");
        inStore(now);
        guard.flushPending();
        int calls = store.calls().size();
        guard.flushPending();

        assertThat(store.calls()).hasSize(calls);
        assertThat(inStore(rivalOf(late))).isInstanceOf(Reservation.AlreadyClaimed.class);
        held("next");
        assertSound();
    }

    @Test
    void anOwedRecordIsDroppedOnceItsTtlHasEnded() {
        pendingClaim("k");
        clock.advance(TTL);
        int calls = store.calls().size();
        guard.flushPending();

        assertThat(store.calls()).hasSize(calls);
        held("next");
        assertSound();
    }

    @Test
    void anOwedReleaseIsPaidWhileItsLeaseLasts() {
        Claim mine = held("k");
        store.set(Mode.FAILS_BEFORE);
        guard.release(mine);
        store.set(Mode.WORKS);
        clock.advance(LEASE.minusMillis(1));
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void anOwedReleaseIsDroppedOnceItsLeaseHasEnded() {
        Claim mine = held("k");
        store.set(Mode.FAILS_BEFORE);
        guard.release(mine);
        store.set(Mode.WORKS);
        clock.advance(LEASE);
        int calls = store.calls().size();
        guard.flushPending();

        assertThat(store.calls()).hasSize(calls);
        held("next");
        assertSound();
    }

    @Test
    void anOwedReleaseThatFreesNothingProvesNothing() {
        Claim mine = held("k");
        store.set(Mode.FAILS_AFTER);
        guard.release(mine);
        store.set(Mode.WORKS);
        guard.flushPending();

        assertDegraded();
        held("next");
        assertSound();
    }

    @Test
    void anOwedReleaseDoesNotTakeANewOwnersClaimAway() {
        Claim mine = held("k");
        store.set(Mode.FAILS_AFTER);
        guard.release(mine);
        store.set(Mode.WORKS);
        Claim now = rivalOf(mine);
        inStore(now);
        guard.flushPending();

        assertThat(inStore(rivalOf(now))).isInstanceOf(Reservation.AlreadyClaimed.class);
    }

    @Test
    void aFaultInsidePayingDoesNotEscapeAndTheDebtStays() {
        Claim mine = pendingClaim("k");
        store.beforeTheNextAnswer(() -> {
            throw new IllegalStateException("a fault");
        });
        assertThatCode(guard::flushPending).doesNotThrowAnyException();
        assertDegraded();
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void aDebtThatBreaksDoesNotKeepTheOthersFromBeingPaid() {
        pendingClaim("breaks");
        Claim next = pendingClaim("next");
        store.beforeTheNextAnswer(() -> {
            throw new IllegalStateException("a fault");
        });
        guard.flushPending();

        assertThat(inStore(rivalOf(next))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void aRecordThatIsOwedIsNotLostToAnOwedReleaseOfOurOwnEarlierClaim() {
        Claim failed = held("k");
        store.set(Mode.FAILS_BEFORE);
        guard.release(failed);
        Claim retry = rivalOf(failed);
        assertThatThrownBy(() -> guard.reserve(retry)).isInstanceOf(StoreUnavailableException.class);
        assertThat(guard.record(retry, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Pending.class);
        store.set(Mode.WORKS);
        guard.flushPending();

        assertSound();
        assertThat(inStore(rivalOf(retry))).isInstanceOf(Reservation.AlreadyRecorded.class);
    }

    @Test
    void aRecordIsNotSupersededByAnOwedReleaseOfOurOwnEarlierClaim() {
        Claim failed = held("k");
        store.set(Mode.FAILS_BEFORE);
        guard.release(failed);
        Claim retry = rivalOf(failed);
        assertThatThrownBy(() -> guard.reserve(retry)).isInstanceOf(StoreUnavailableException.class);
        store.set(Mode.WORKS);

        assertThat(guard.record(retry, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Pending.class);
        guard.flushPending();
        assertThat(inStore(rivalOf(retry))).isInstanceOf(Reservation.AlreadyRecorded.class);
        assertSound();
    }

    @Test
    void aRecordThatBreaksInTheStoreIsOwedSinceTheHandlerHasSucceeded() {
        Claim mine = held("k");
        store.set(Mode.BREAKS);
        assertThat(guard.record(mine, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Pending.class);
        assertDegraded();
        store.set(Mode.WORKS);
        guard.flushPending();
        assertSound();
    }

    @Test
    void whatIsOwedAfterTheOutageSeemedOverRaisesTheFactAgain() {
        failOnce();
        held("other");
        assertSound();
        guard.releaseLater(claim("k"));
        assertDegraded();
    }

    @Test
    void aReleaseForLaterDoesNotAskTheStoreNow() {
        Claim mine = held("k");
        int before = store.calls().size();
        guard.releaseLater(mine);
        assertThat(store.calls()).hasSize(before);

        guard.flushPending();
        assertThat(inStore(rivalOf(mine))).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void doubtfulReleasesAreBoundedSinceTheLeasesEndFreesTheirKeysAnyway() {
        store.set(Mode.FAILS_BEFORE);
        for (int i = 0; i < PendingWrites.MOST_DOUBTFUL_RELEASES + 10; i++) {
            guard.releaseLater(claim("k" + i));
        }
        store.set(Mode.WORKS);
        guard.flushPending();
        assertThat(store.calls()).hasSize(PendingWrites.MOST_DOUBTFUL_RELEASES);
        failOnce();
        guard.check();
        assertSound();
    }

    @Test
    void theBackgroundPaysAndFindsTheStoreBackWithoutTraffic() {
        pendingClaim("k");
        clock.advance(SECOND);
        guard.tick(List::of, () -> {});
        assertSound();
        failOnce();
        clock.advance(SECOND);
        guard.tick(List::of, () -> {});
        assertSound();
    }

    @Test
    void aProbeClearsTheFactWithoutTraffic() {
        failOnce();
        guard.probe();

        assertSound();
    }

    @Test
    void aProbeLeavesWhatIsOwedToTheBackgroundAndTheFactStays() {
        pendingClaim("k");
        int before = store.calls().size();
        guard.probe();
        assertThat(store.calls()).hasSize(before + 1);
        assertDegraded();
    }

    @Test
    void aKeyWhoseRecordIsOwedIsRecordedForWhoeverAsksThisReplica() {
        Claim mine = pendingClaim("k");
        assertThat(guard.reserve(rivalOf(mine)))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200)));
        clock.advance(TTL);
        assertThat(guard.reserve(rivalOf(mine))).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void aFailedProbeIsRepeatedAtMostOnceASecond() {
        failOnce();
        store.set(Mode.FAILS_BEFORE);
        int before = store.calls().size();
        for (int i = 0; i < 30; i++) {
            guard.probe();
            clock.advance(Duration.ofMillis(100));
        }

        assertThat(store.calls().subList(before, store.calls().size())).containsExactly("probe", "probe", "probe");
        assertDegraded();
        store.set(Mode.WORKS);
        guard.probe();
        assertSound();
    }

    @Test
    void aCheckAtTheStartShowsAnOutageBeforeTheFirstDelivery() {
        store.set(Mode.FAILS_BEFORE);
        guard.check();

        assertDegraded();
    }

    @Test
    void anOutageIsToldOnceAtItsBeginningAndOnceAtItsEnd() {
        Instant began = clock.instant();
        Claim mine = held("k");
        failOnce();
        store.set(Mode.FAILS_BEFORE);
        guard.record(mine, RecordedAnswer.of(200), TTL);
        guard.flushPending();
        store.set(Mode.WORKS);
        held("other");
        guard.flushPending();
        held("next");
        clock.advance(SECOND);
        Instant beganAgain = clock.instant();
        failOnce();

        DegradedFact first = new DegradedFact(REASON, began, HINT);
        assertThat(events)
                .containsExactly(
                        first.degraded(), first.restored(), new DegradedFact(REASON, beganAgain, HINT).degraded());
    }
}
