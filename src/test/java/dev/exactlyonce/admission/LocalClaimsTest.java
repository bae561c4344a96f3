package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocalClaimsTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration MAX_HOLD = Duration.ofHours(1);
    private static final Duration TTL = Duration.ofHours(1);
    private static final Reservation GRANTED = new Reservation.Granted(0);
    private static final Reservation DONE = new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200));

    private final SettableClock time = new SettableClock();
    private final LocalClaims registry = new LocalClaims(2, MAX_HOLD, time);

    private static Claim claim(String key) {
        return claim(key, LEASE);
    }

    private static Claim claim(String key, Duration lease) {
        return Claim.fresh(DeliveryKey.of("s", "e", List.of(key)), Fingerprint.NONE, lease);
    }

    private static Reservation inFlight(Duration left) {
        return new Reservation.AlreadyClaimed(Fingerprint.NONE, left);
    }

    private Claim entered(String key) {
        Claim claim = claim(key);
        assertThat(registry.enter(claim)).isEqualTo(GRANTED);
        return claim;
    }

    @Test
    void oneOfTwoClaimsOnAKeyIsGranted() {
        entered("a");
        time.advance(Duration.ofSeconds(20));
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(Duration.ofSeconds(40)));
        assertThat(registry.enter(claim("b"))).isEqualTo(GRANTED);
    }

    @Test
    void whatIsFoundUnderAKeyIsWhatAClaimWouldBeRefusedWith() {
        DeliveryKey key = claim("a").key();
        assertThat(registry.find(key)).isEmpty();
        Claim mine = entered("a");
        time.advance(Duration.ofSeconds(20));
        assertThat(registry.find(key)).contains(inFlight(Duration.ofSeconds(40)));
        registry.remember(mine, RecordedAnswer.of(200), TTL);
        assertThat(registry.find(key)).contains(DONE);
        time.advance(TTL);
        assertThat(registry.find(key)).isEmpty();
        assertThat(registry.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void aClaimThatLeftFreesItsKeyAndNobodyElses() {
        Claim mine = entered("a");
        registry.leave(claim("a"));
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(LEASE));
        registry.leave(mine);
        assertThat(registry.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void aKeyWhoseHandlerRunsHereIsHeldPastItsLease() {
        entered("a");
        time.advance(LEASE.multipliedBy(3));
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(Duration.ZERO));
    }

    @Test
    void aKeyWhoseHandlerNeverComesBackIsHeldNoLongerThanTheLongestHoldAndTheRestOfItsLease() {
        Claim hanging = entered("a");
        time.advance(MAX_HOLD.minusNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(Duration.ZERO));
        registry.extend(hanging, time.getAsLong());
        time.advance(Duration.ofNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(LEASE.minusNanos(1)));
        time.advance(LEASE.minusNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void workOutOfSightIsHeldUntilItsLeaseEnds() {
        registry.leaveThread(entered("a"));
        time.advance(LEASE.minusNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(Duration.ofNanos(1)));
        time.advance(Duration.ofNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void aRecordIsRememberedUntilItsTtlEnds() {
        registry.remember(entered("a"), RecordedAnswer.of(200), TTL);
        time.advance(TTL.minusNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(DONE);
        time.advance(Duration.ofNanos(1));
        assertThat(registry.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void theOldestRecordIsForgottenAtCapacity() {
        registry.remember(entered("a"), RecordedAnswer.of(200), TTL);
        registry.remember(entered("b"), RecordedAnswer.of(200), TTL);
        assertThat(registry.enter(claim("a"))).isEqualTo(DONE);
        registry.remember(entered("c"), RecordedAnswer.of(200), TTL);
        assertThat(registry.enter(claim("b"))).isEqualTo(DONE);
        assertThat(registry.enter(claim("c"))).isEqualTo(DONE);
        assertThat(registry.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void aClaimInFlightIsNeverForgottenForCapacity() {
        entered("running");
        IntStream.range(0, 10).forEach(i -> registry.remember(entered("k" + i), RecordedAnswer.of(200), TTL));
        assertThat(registry.enter(claim("running"))).isEqualTo(inFlight(LEASE));
    }

    @Test
    void anOldRecordThatIsPushedOutDoesNotTakeTheNewRecordOfItsKeyAway() {
        registry.remember(entered("a"), RecordedAnswer.of(200), Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(2));
        registry.remember(entered("a"), RecordedAnswer.of(200), TTL);
        registry.remember(entered("b"), RecordedAnswer.of(200), TTL);
        assertThat(registry.enter(claim("a"))).isEqualTo(DONE);
    }

    @Test
    void withoutCapacityNothingIsRememberedYetWhatRunsIsHeld() {
        LocalClaims forgetful = new LocalClaims(0, MAX_HOLD, time);
        Claim mine = claim("a");
        assertThat(forgetful.enter(mine)).isEqualTo(GRANTED);
        assertThat(forgetful.enter(claim("a"))).isEqualTo(inFlight(LEASE));
        forgetful.remember(mine, RecordedAnswer.of(200), TTL);
        assertThat(forgetful.enter(claim("a"))).isEqualTo(GRANTED);
    }

    @Test
    void aLateRecordDoesNotReplaceTheClaimThatCameAfter() {
        Claim late = entered("a");
        registry.leaveThread(late);
        time.advance(LEASE);
        entered("a");
        registry.remember(late, RecordedAnswer.of(200), TTL);
        registry.leave(late);
        registry.leaveThread(late);
        assertThat(registry.enter(claim("a"))).isEqualTo(inFlight(LEASE));
    }

    @Test
    void aRecordIsNotFreedByItsOwnClaim() {
        Claim mine = entered("a");
        registry.remember(mine, RecordedAnswer.of(200), TTL);
        registry.leave(mine);
        registry.leaveThread(mine);
        assertThat(registry.enter(claim("a"))).isEqualTo(DONE);
    }

    @Test
    void workThatIsKnownToRunIsInFlightForAnotherLeaseFromThen() {
        Claim seen = entered("seen");
        Claim unseen = entered("unseen");
        registry.leaveThread(unseen);
        time.advance(LEASE.dividedBy(2));
        registry.extend(seen, time.getAsLong());
        registry.extend(unseen, time.getAsLong());
        time.advance(LEASE.dividedBy(2));

        assertThat(registry.enter(claim("seen"))).isEqualTo(inFlight(LEASE.dividedBy(2)));
        assertThat(registry.enter(claim("unseen"))).isEqualTo(inFlight(LEASE.dividedBy(2)));
        time.advance(LEASE.dividedBy(2));
        assertThat(registry.enter(claim("unseen"))).isEqualTo(GRANTED);
    }

    @Test
    void neitherARecordNorAnothersClaimIsExtended() {
        Claim done = entered("done");
        registry.remember(done, RecordedAnswer.of(200), TTL);
        registry.extend(done, time.getAsLong());
        registry.extend(claim("absent"), time.getAsLong());
        entered("other");
        registry.extend(claim("other"), time.getAsLong() + LEASE.toNanos());

        assertThat(registry.enter(claim("done"))).isEqualTo(DONE);
        assertThat(registry.enter(claim("absent"))).isEqualTo(GRANTED);
        assertThat(registry.enter(claim("other"))).isEqualTo(inFlight(LEASE));
    }

    @Test
    void whatIsRememberedIsToldWithWhatIsLeftOfItsTtl() {
        Claim one = entered("one");
        registry.remember(one, RecordedAnswer.of(200), TTL);
        time.advance(TTL.dividedBy(2));
        Claim two = entered("two");
        registry.remember(two, RecordedAnswer.of(202), TTL);
        long now = time.getAsLong();
        assertThat(registry.remembered())
                .containsExactly(
                        LocalEntry.recorded(one, RecordedAnswer.of(200), TTL.dividedBy(2), now),
                        LocalEntry.recorded(two, RecordedAnswer.of(202), TTL, now));
        time.advance(TTL.dividedBy(2));

        assertThat(registry.remembered())
                .containsExactly(LocalEntry.recorded(two, RecordedAnswer.of(202), TTL.dividedBy(2), time.getAsLong()));
    }

    @Test
    void answersAreRememberedUpToSomeMegabytesAndTheRecordsStay() {
        RecordedAnswer large = new RecordedAnswer(201, "x".repeat(1 << 20));
        LocalClaims many = new LocalClaims(100, MAX_HOLD, time);
        for (int i = 0; i < 17; i++) {
            Claim claim = claim("k" + i, LEASE);
            many.enter(claim);
            many.remember(claim, large, TTL);
        }

        assertThat(many.find(claim("k0", LEASE).key()))
                .contains(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(201)));
        assertThat(many.find(claim("k16", LEASE).key()))
                .contains(new Reservation.AlreadyRecorded(Fingerprint.NONE, large));
        assertThat(many.remembered())
                .hasSize(17)
                .filteredOn(it -> it.answer().equals(large))
                .hasSize(15);
    }

    @Test
    void settledWorkLeavesNothingBehind() {
        Claim released = entered("a");
        registry.leaveThread(released);
        registry.leave(released);
        registry.leave(entered("b"));
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void forgottenWorkLeavesNothingBehindOnceItsLeaseHasEndedAlsoBehindALongerLease() {
        Claim longer = claim("long", Duration.ofDays(1));
        assertThat(registry.enter(longer)).isEqualTo(GRANTED);
        registry.leaveThread(longer);
        IntStream.range(0, 100).forEach(i -> registry.leaveThread(entered("k" + i)));
        registry.leave(longer);
        time.advance(LEASE);
        Claim last = entered("last");
        registry.leaveThread(last);
        registry.leave(last);
        assertThat(registry.isEmpty()).isTrue();
    }
}
