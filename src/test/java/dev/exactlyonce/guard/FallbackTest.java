package dev.exactlyonce.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.admission.LocalEntry;
import dev.exactlyonce.admission.SwitchableStore;
import dev.exactlyonce.admission.SwitchableStore.Mode;
import dev.exactlyonce.event.DurabilityEvent;
import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.FallbackStore;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The configured store is not there at the start, and another stands in for it. */
class FallbackTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String PER_REPLICA = "shared store not available (running per-replica)";
    private static final String BOTH_AWAY = "durable store unavailable (running in-memory)";
    private static final String UNREACHABLE = "shared store unreachable at runtime";
    private static final Reservation RECORDED =
            new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200));

    private final SettableClock clock = new SettableClock();
    private final SwitchableStore shared = new SwitchableStore(new MemoryStore(1_000, clock, evicted -> {}));
    private final SwitchableFallback local = new SwitchableFallback(new MemoryStore(1_000, clock, evicted -> {}));
    private final List<DurabilityEvent> events = new ArrayList<>();
    private final DegradedFacts facts = new DegradedFacts(clock, events::add);
    private final List<LocalEntry> remembered = new ArrayList<>();
    private final StoreGuard guard = guard(false);

    /** A fallback behind a switch of its own. */
    private static final class SwitchableFallback extends SwitchableStore implements FallbackStore {
        private final FallbackStore inner;

        SwitchableFallback(FallbackStore inner) {
            super(inner);
            this.inner = inner;
        }

        @Override
        public boolean isEmpty() {
            return call("isEmpty", inner::isEmpty);
        }
    }

    private StoreGuard guard(boolean leftOver) {
        FallbackPlan plan = new FallbackPlan(
                () -> local,
                leftOver,
                TTL.plus(LEASE),
                new OutageTexts(PER_REPLICA, "start the shared store", "local"),
                new OutageTexts(BOTH_AWAY, "look at the disk", "memory"));
        return new StoreGuard(
                shared,
                new OutageTexts(UNREACHABLE, "look at the shared store", "none"),
                Optional.of(plan),
                facts,
                clock);
    }

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

    private void record(Claim claim) {
        assertThat(guard.record(claim, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
        remembered.add(LocalEntry.recorded(claim, RecordedAnswer.of(200), TTL, clock.getAsLong()));
    }

    private Reservation in(IdempotencyStore store, Claim claim) {
        return store.reserve(rivalOf(claim));
    }

    private void startWithoutTheSharedStore() {
        shared.set(Mode.FAILS_BEFORE);
        guard.check();
    }

    private void theSharedStoreComesBack() {
        shared.set(Mode.WORKS);
        clock.advance(LOOK);
        guard.tick(() -> remembered, () -> {});
    }

    private void assertReason(String reason) {
        assertThat(facts.current()).map(DegradedFact::reason).contains(reason);
    }

    @Test
    void aStoreThatIsThereAtTheStartNeedsNoFallback() {
        guard.check();
        record(held("k"));
        guard.tick(() -> remembered, () -> {});

        assertThat(local.calls()).isEmpty();
        assertThat(facts.current()).isEmpty();
        assertThat(guard.storeInUse("shared")).isEqualTo("shared");
    }

    @Test
    void withoutTheStoreAtTheStartTheFallbackAdmitsAndSaysSo() {
        startWithoutTheSharedStore();
        Claim mine = held("k");
        record(mine);

        assertReason(PER_REPLICA);
        assertThat(guard.storeInUse("shared")).isEqualTo("local");
        assertThat(guard.reserve(rivalOf(mine))).isEqualTo(RECORDED);
        assertThat(in(local.inner(), mine)).isEqualTo(RECORDED);
        assertThat(shared.calls()).containsOnly("probe");
    }

    @Test
    void theStoreIsTriedAgainAtMostEveryFiveSeconds() {
        startWithoutTheSharedStore();
        int atTheStart = shared.calls().size();
        for (int second = 0; second < 11; second++) {
            clock.advance(SECOND);
            guard.tick(() -> remembered, () -> {});
            guard.probe();
        }

        assertThat(shared.calls()).hasSize(atTheStart + 3); // at once, after 5 s, after 10 s
    }

    @Test
    void aStoreThatIsSlowToAnswerItsFirstCallIsThereAllTheSame() {
        shared.set(Mode.FAILS_BEFORE);
        shared.beforeTheNextCall(() -> shared.beforeTheNextCall(() -> shared.set(Mode.WORKS)));
        guard.check();

        assertThat(facts.current()).isEmpty();
        assertThat(guard.storeInUse("shared")).isEqualTo("shared");
    }

    @Test
    void onceTheStoreIsBackNewClaimsGoThereWithoutARestart() {
        startWithoutTheSharedStore();
        theSharedStoreComesBack();

        assertThat(facts.current()).isEmpty();
        assertThat(guard.storeInUse("shared")).isEqualTo("shared");
        Claim mine = held("new");
        record(mine);
        assertThat(in(shared.inner(), mine)).isEqualTo(RECORDED);
        assertThat(in(local.inner(), mine)).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void aReadinessCheckAloneBringsTheStoreBack() {
        startWithoutTheSharedStore();
        shared.set(Mode.WORKS);
        clock.advance(LOOK);
        guard.probe();
        assertThat(guard.storeInUse("shared")).isEqualTo("shared");
        guard.tick(List::of, () -> {});

        assertThat(facts.current()).isEmpty();
    }

    @Test
    void whatTheFallbackRecordedIsADuplicateAfterTheReturn() {
        startWithoutTheSharedStore();
        Claim mine = held("k");
        record(mine);
        theSharedStoreComesBack();

        assertThat(guard.reserve(rivalOf(mine))).isEqualTo(RECORDED);
    }

    @Test
    void theOtherReplicasAreToldWhatTheFallbackRecorded() {
        startWithoutTheSharedStore();
        Claim mine = held("k");
        record(mine);
        theSharedStoreComesBack();

        assertThat(in(shared.inner(), mine)).isEqualTo(RECORDED);
    }

    @Test
    void aClaimOfTheFallbackIsSettledAndRenewedWhereItIs() {
        startWithoutTheSharedStore();
        Claim recorded = held("recorded");
        Claim released = held("released");
        Claim renewed = held("renewed");
        theSharedStoreComesBack();
        Claim here = held("here");
        assertThat(guard.reserve(rivalOf(recorded))).isInstanceOf(Reservation.AlreadyClaimed.class);

        clock.advance(LEASE.dividedBy(2));
        assertThat(guard.renewAll(List.of(renewed, here))).containsExactly(Renewal.HELD, Renewal.HELD);
        record(recorded);
        guard.release(released);
        clock.advance(LEASE.dividedBy(2));

        assertThat(guard.reserve(rivalOf(recorded))).isEqualTo(RECORDED);
        assertThat(in(local.inner(), released)).isInstanceOf(Reservation.Granted.class);
        assertThat(in(local.inner(), renewed)).isInstanceOf(Reservation.AlreadyClaimed.class);
        assertThat(in(shared.inner(), here)).isInstanceOf(Reservation.AlreadyClaimed.class);
        assertThat(in(shared.inner(), renewed)).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void theFallbackIsAskedUntilItsLastRowHasEnded() {
        startWithoutTheSharedStore();
        record(held("k"));
        theSharedStoreComesBack();
        held("while it has rows");
        assertThat(local.calls()).contains("find");

        clock.advance(TTL);
        guard.tick(List::of, () -> {});
        int asked = local.calls().size();
        held("after");
        assertThat(local.calls()).hasSize(asked);
    }

    @Test
    void rowsThatAnEarlierRunLeftAreAskedFirst() {
        Claim before = claim("k");
        local.inner().record(before, RecordedAnswer.of(200), TTL);
        StoreGuard restarted = guard(true);
        restarted.check();

        assertThat(restarted.reserve(rivalOf(before))).isEqualTo(RECORDED);
        assertThat(facts.current()).isEmpty();
    }

    @Test
    void anEmptyFileThatAnEarlierRunLeftIsNotAskedAtAll() {
        StoreGuard restarted = guard(true);
        restarted.check();
        assertThat(restarted.reserve(claim("k"))).isInstanceOf(Reservation.Granted.class);

        assertThat(local.calls()).containsExactly("isEmpty");
    }

    @Test
    void aFallbackThatFailsTooIsTheWorseFactAndIsNotMasked() {
        startWithoutTheSharedStore();
        Claim mine = held("k");
        local.set(Mode.FAILS_BEFORE);
        assertThatThrownBy(() -> guard.reserve(claim("other"))).isInstanceOf(StoreUnavailableException.class);
        assertReason(BOTH_AWAY);
        assertThat(guard.storeInUse("shared")).isEqualTo("memory");
        assertThat(guard.record(mine, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Pending.class);
        assertThat(guard.reserve(rivalOf(mine))).isEqualTo(RECORDED);

        local.set(Mode.WORKS);
        clock.advance(SECOND);
        guard.tick(() -> remembered, () -> {});
        assertReason(PER_REPLICA);
        assertThat(in(local.inner(), mine)).isEqualTo(RECORDED);
    }

    @Test
    void aDeliveryThatEndsAfterTheReturnIsToldToTheOthersBeforeTheFactIsCleared() {
        startWithoutTheSharedStore();
        Claim running = held("running");
        theSharedStoreComesBack();
        assertReason(PER_REPLICA);
        assertThat(guard.record(running, RecordedAnswer.of(200), TTL)).isInstanceOf(Recording.Written.class);
        guard.tick(List::of, () -> {});

        assertThat(in(shared.inner(), running)).isEqualTo(RECORDED);
        assertThat(facts.current()).isEmpty();
    }

    @Test
    void workThatWasGivenUpOnDoesNotKeepTheFactUp() {
        startWithoutTheSharedStore();
        Claim unfinished = held("unfinished");
        guard.abandon(unfinished);
        theSharedStoreComesBack();

        assertThat(facts.current()).isEmpty();
    }

    @Test
    void aClaimThatEndedIsStillReleasedAndRenewedWhereItWas() {
        startWithoutTheSharedStore();
        Claim failed = held("failed");
        guard.release(failed);
        local.inner().renew(failed); // one that was on its way claims the key again
        guard.release(failed);

        assertThat(in(local.inner(), failed)).isInstanceOf(Reservation.Granted.class);
        assertReason(PER_REPLICA);
        assertThat(shared.calls()).containsOnly("probe");
    }

    @Test
    void aClaimThatEndsWhileItIsRenewedIsNotClaimedInTheOtherStore() {
        startWithoutTheSharedStore();
        Claim ending = held("ending");
        theSharedStoreComesBack();
        local.beforeTheNextAnswer(() -> record(ending));
        guard.renewAll(List.of(ending));

        assertThat(shared.calls()).doesNotContain("renew");
    }

    @Test
    void onlyAClaimInTheStoreOfAllIsKnownToBeTheOnlyOne() {
        startWithoutTheSharedStore();
        Claim alone = held("alone");
        theSharedStoreComesBack();

        assertThat(guard.isShared(alone)).isFalse();
        assertThat(guard.isShared(held("shared"))).isTrue();
    }

    @Test
    void aFallbackThatCannotBeUsedAtTheStartIsToldOfBeforeTheFirstDelivery() {
        local.set(Mode.FAILS_BEFORE);
        startWithoutTheSharedStore();

        assertReason(BOTH_AWAY);
    }

    @Test
    void aFileThatCannotBeReadIsNotAskedForLongerThanItsRowsCanLast() {
        local.set(Mode.FAILS_BEFORE);
        StoreGuard restarted = guard(true);
        restarted.check();
        assertThatThrownBy(() -> restarted.reserve(claim("early"))).isInstanceOf(StoreUnavailableException.class);
        assertReason(BOTH_AWAY);
        clock.advance(TTL.plus(LEASE));
        restarted.tick(List::of, () -> {});

        assertThat(facts.current()).isEmpty();
        assertThat(restarted.reserve(claim("late"))).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void aRuntimeOutageAfterTheReturnDoesNotGoBackToTheFallback() {
        startWithoutTheSharedStore();
        theSharedStoreComesBack();
        shared.set(Mode.FAILS_BEFORE);

        assertThatThrownBy(() -> guard.reserve(claim("k"))).isInstanceOf(StoreUnavailableException.class);
        assertReason(UNREACHABLE);
        assertThat(local.calls()).doesNotContain("reserve");
    }

    @Test
    void aKeyIsClaimedInTheStoreAlthoughTheFallbackCannotBeAskedAndTheSourceDecides() {
        startWithoutTheSharedStore();
        record(held("k"));
        theSharedStoreComesBack();
        local.set(Mode.FAILS_BEFORE);
        Claim unsure = claim("unsure");

        assertThatThrownBy(() -> guard.reserve(unsure)).isInstanceOf(StoreUnavailableException.class);
        assertReason(BOTH_AWAY);
        assertThat(in(shared.inner(), unsure)).isInstanceOf(Reservation.AlreadyClaimed.class);
        record(unsure);
        assertThat(in(shared.inner(), unsure)).isEqualTo(RECORDED);
    }

    @Test
    void aClaimWhoseFallbackCallFailedIsReleasedThere() {
        startWithoutTheSharedStore();
        local.set(Mode.FAILS_AFTER);
        Claim rejected = claim("k");
        assertThatThrownBy(() -> guard.reserve(rejected)).isInstanceOf(StoreUnavailableException.class);
        guard.releaseLater(rejected);
        local.set(Mode.WORKS);
        guard.tick(() -> remembered, () -> {});

        assertThat(in(local.inner(), rejected)).isInstanceOf(Reservation.Granted.class);
    }

    @Test
    void aStoreThatLostItsKeysIsToldAgainWhatIsRemembered() {
        guard.check();
        Claim mine = held("k");
        Claim ended = held("ended");
        record(mine);
        remembered.add(LocalEntry.recorded(ended, RecordedAnswer.of(200), Duration.ZERO, clock.getAsLong()));
        shared.inner().release(ended);
        Claim taken = held("taken");
        remembered.add(LocalEntry.recorded(rivalOf(taken), RecordedAnswer.of(200), TTL, clock.getAsLong()));
        StoreGuard empty =
                new StoreGuard(new MemoryStore(10, clock, evicted -> {}), new OutageTexts("a", "b", "c"), facts, clock);
        empty.backfill();
        empty.tick(() -> remembered, () -> {});

        assertThat(empty.reserve(rivalOf(mine))).isEqualTo(RECORDED);
        assertThat(empty.reserve(rivalOf(ended))).isInstanceOf(Reservation.Granted.class);

        guard.backfill();
        guard.tick(() -> remembered, () -> {});
        assertThat(guard.reserve(rivalOf(taken))).isInstanceOf(Reservation.AlreadyClaimed.class);
    }

    @Test
    void aTellingThatFailsGoesOnWhereItStopped() {
        guard.check();
        Claim one = claim("one");
        Claim two = claim("two");
        remembered.add(LocalEntry.recorded(one, RecordedAnswer.of(200), TTL, clock.getAsLong()));
        remembered.add(LocalEntry.recorded(two, RecordedAnswer.of(200), TTL, clock.getAsLong()));
        guard.backfill();
        shared.set(Mode.FAILS_BEFORE);
        guard.tick(() -> remembered, () -> {});
        assertReason(UNREACHABLE);
        shared.set(Mode.WORKS);
        clock.advance(SECOND);
        guard.tick(List::of, () -> {});

        assertThat(in(shared.inner(), one)).isEqualTo(RECORDED);
        assertThat(in(shared.inner(), two)).isEqualTo(RECORDED);
        assertThat(facts.current()).isEmpty();
    }

    @Test
    void anAnswerThatTheFallbackRecordedIsFoundThereAndToldToTheStoreThatComesBack() {
        startWithoutTheSharedStore();
        Claim mine = held("k");
        RecordedAnswer answer = new RecordedAnswer(201, "bytes");
        assertThat(guard.record(mine, answer, TTL)).isInstanceOf(Recording.Written.class);
        Reservation recorded = new Reservation.AlreadyRecorded(Fingerprint.NONE, answer);
        assertThat(guard.find(mine.key())).contains(recorded);
        assertThat(guard.find(claim("absent").key())).isEmpty();
        theSharedStoreComesBack();

        assertThat(in(shared.inner(), mine)).isEqualTo(recorded);
        assertThat(guard.find(mine.key())).contains(recorded);
        assertThat(guard.find(claim("absent").key())).isEmpty();
        local.set(Mode.FAILS_BEFORE);
        assertThat(guard.find(mine.key())).contains(recorded);
    }

    @Test
    void aStoreThatLostItsKeysIsToldTheAnswersAgain() {
        guard.check();
        Claim mine = held("k");
        RecordedAnswer answer = new RecordedAnswer(201, "bytes");
        remembered.add(LocalEntry.recorded(mine, answer, TTL, clock.getAsLong()));
        shared.inner().release(mine);
        guard.backfill();
        guard.tick(() -> remembered, () -> {});

        assertThat(in(shared.inner(), mine)).isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, answer));
    }

    @Test
    void eachTransitionIsToldOnce() {
        startWithoutTheSharedStore();
        guard.tick(() -> remembered, () -> {});
        theSharedStoreComesBack();

        assertThat(events)
                .extracting(it -> it.getClass().getSimpleName())
                .containsExactly("StoreDegraded", "StoreRestored");
    }
}
