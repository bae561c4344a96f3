package dev.exactlyonce.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store must guarantee. A store's own test extends this and says how to open it. */
public abstract class IdempotencyStoreContract {
    protected static final Duration LEASE = Duration.ofSeconds(30);
    protected static final Duration TTL = Duration.ofHours(1);

    protected final SettableClock clock = new SettableClock();
    protected IdempotencyStore store;

    /** A store that has not been used yet. */
    protected abstract IdempotencyStore open(InstantSource clock) throws Exception;

    /** Lets this much time pass for the store; to be overridden where the store has its own clock. */
    protected void letPass(Duration time) {
        clock.advance(time);
    }

    /** How near to a deadline this store can be asked; wider where the store's clock runs by itself. */
    protected Duration tick() {
        return Duration.ofMillis(1);
    }

    @BeforeEach
    void openTheStore() throws Exception {
        store = open(clock);
    }

    @AfterEach
    void closeTheStore() {
        store.close();
    }

    protected static DeliveryKey key(String part) {
        return DeliveryKey.of("github", "POST /hooks/{source}", List.of(part));
    }

    protected static Claim claim(String part) {
        return claim(part, LEASE);
    }

    protected static Claim claim(String part, Duration lease) {
        return Claim.fresh(key(part), Fingerprint.NONE, lease);
    }

    /** Another claim on the same key. */
    protected static Claim rivalOf(Claim claim) {
        return Claim.fresh(claim.key(), claim.fingerprint(), claim.lease());
    }

    protected final Claim held(String part) {
        Claim claim = claim(part);
        assertGranted(claim);
        return claim;
    }

    protected final Claim recorded(String part) {
        Claim claim = held(part);
        assertWritten(claim, 200);
        return claim;
    }

    protected final void assertGranted(Claim claim) {
        assertThat(store.reserve(claim)).isInstanceOf(Reservation.Granted.class);
    }

    protected final void assertInFlight(Claim rival) {
        assertThat(store.reserve(rival)).isInstanceOf(Reservation.AlreadyClaimed.class);
    }

    protected final void assertRecorded(Claim rival, int status) {
        assertThat(store.reserve(rival))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(status)));
    }

    protected final void assertWritten(Claim claim, int status) {
        assertThat(store.record(claim, RecordedAnswer.of(status), TTL)).isInstanceOf(Recording.Written.class);
    }

    @Test
    void anAbsentKeyIsGranted() {
        assertGranted(claim("k"));
    }

    /** The fencing token of a claim that is granted. */
    protected final long fence(Claim claim) {
        return ((Reservation.Granted) store.reserve(claim)).fence();
    }

    @Test
    void everyClaimOfAKeyHasALargerFencingTokenThanTheOneBefore() {
        Claim first = claim("k", Duration.ofMillis(50));
        long ofTheFirst = fence(first);
        letPass(Duration.ofMillis(50).plus(tick()));
        Claim afterTheLease = claim("k");
        long second = fence(afterTheLease);
        store.release(afterTheLease);
        Claim afterTheRelease = claim("k");
        long third = fence(afterTheRelease);
        store.record(afterTheRelease, RecordedAnswer.of(200), Duration.ofMillis(50));
        letPass(Duration.ofMillis(50).plus(tick()));
        long afterTheTtl = fence(claim("k"));

        assertThat(List.of(ofTheFirst, second, third, afterTheTtl))
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(it -> it > 0);
    }

    @Test
    void aClaimThatIsGrantedOnceMoreKeepsItsFencingToken() {
        Claim mine = claim("k");
        long fence = fence(mine);
        held("other");

        assertThat(fence(mine)).isEqualTo(fence);
        store.renew(mine);
        assertThat(fence(mine)).isEqualTo(fence);
    }

    @Test
    void fencingTokensOfManyClaimsInOneMomentAreOrdered() {
        long last = 0;
        for (int i = 0; i < 200; i++) {
            Claim next = claim("k");
            long fence = fence(next);
            assertThat(fence).isGreaterThan(last);
            last = fence;
            store.release(next);
        }
    }

    @Test
    void twoClaimsOnOneKeyHaveDifferentTokens() {
        assertThat(claim("k").owner()).isNotEqualTo(claim("k").owner());
    }

    @Test
    void keysDoNotGetInEachOthersWay() {
        held("k");
        held("K");
        held("k2");
    }

    @Test
    void aSecondClaimSeesTheFirstInFlightWithWhatIsLeftOfItsLease() {
        held("k");
        letPass(Duration.ofSeconds(10));

        Reservation.AlreadyClaimed there = (Reservation.AlreadyClaimed) store.reserve(claim("k"));

        assertThat(there.leaseLeft()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(there.leaseLeft()).isGreaterThan(Duration.ofSeconds(20).minus(tick().multipliedBy(2)));
    }

    @Test
    void aClaimInFlightTellsItsFingerprint() {
        Fingerprint body = Fingerprint.ofBody(new byte[] {1});
        store.reserve(Claim.fresh(key("k"), body, LEASE));

        assertThat(((Reservation.AlreadyClaimed) store.reserve(claim("k"))).fingerprint())
                .isEqualTo(body);
    }

    @Test
    void anAttemptWhoseReplyWasLostSeesItsOwnClaim() {
        Claim mine = held("k");

        assertGranted(mine);
        assertInFlight(rivalOf(mine));
    }

    @Test
    void anAttemptWhoseReplyWasLostDoesNotLengthenItsLease() {
        Claim mine = held("k");
        letPass(LEASE.dividedBy(2));
        assertGranted(mine);
        letPass(LEASE.dividedBy(2));

        assertGranted(rivalOf(mine));
    }

    @Test
    void aRefusedClaimDoesNotLengthenTheLease() {
        Claim mine = held("k");
        letPass(LEASE.dividedBy(2));
        assertInFlight(rivalOf(mine));
        letPass(LEASE.dividedBy(2));

        assertGranted(rivalOf(mine));
    }

    @ParameterizedTest
    @MethodSource("leasesOfEveryUnit")
    void aStaleClaimIsFreeAtItsLeasesEndAndNotBefore(Duration lease) {
        Claim stale = claim("k", lease);
        assertGranted(stale);
        if (lease.compareTo(tick()) > 0) {
            letPass(lease.minus(tick()));
            Reservation.AlreadyClaimed there = (Reservation.AlreadyClaimed) store.reserve(rivalOf(stale));
            assertThat(there.leaseLeft()).isPositive().isLessThanOrEqualTo(tick());
            letPass(tick());
        } else {
            letPass(lease);
        }

        assertGranted(rivalOf(stale));
    }

    static Stream<Duration> leasesOfEveryUnit() {
        return Stream.of(
                Duration.ofMillis(1),
                Duration.ofMillis(999),
                Duration.ofSeconds(1),
                Duration.ofSeconds(61),
                Duration.ofMinutes(15),
                Duration.ofHours(1),
                Duration.ofDays(1));
    }

    @Test
    void theLeaseIsTheClaimsOwnAndNotTheOneOfAnEarlierClaim() {
        Claim longOne = claim("k", Duration.ofDays(1));
        assertGranted(longOne);
        store.release(longOne);
        Claim shortOne = claim("k", Duration.ofSeconds(5));
        assertGranted(shortOne);
        letPass(Duration.ofSeconds(5));

        assertGranted(rivalOf(shortOne));
    }

    @Test
    void aFinishedKeyIsAnsweredAsRecordedWithItsStatusAndFingerprint() {
        Fingerprint body = Fingerprint.ofBody(new byte[] {1});
        Claim mine = Claim.fresh(key("k"), body, LEASE);
        assertGranted(mine);
        assertWritten(mine, 202);

        assertThat(store.reserve(claim("k"))).isEqualTo(new Reservation.AlreadyRecorded(body, RecordedAnswer.of(202)));
    }

    @Test
    void anOwnerThatRecordedSeesItsRecordAndIsNotAdmittedAgain() {
        Claim mine = recorded("k");

        assertRecorded(mine, 200);
    }

    @Test
    void aRecordIsNotFreedByTheLeasesEnd() {
        Claim mine = recorded("k");
        letPass(LEASE.multipliedBy(2));

        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aRecordIsNotFreedByARelease() {
        Claim mine = recorded("k");

        assertThat(store.release(mine)).isFalse();
        assertThat(store.release(rivalOf(mine))).isFalse();
        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aRecordIsNotTurnedIntoAClaimByARenewal() {
        Claim mine = recorded("k");

        assertThat(store.renew(mine)).isEqualTo(Renewal.HELD);
        assertThat(store.renew(rivalOf(mine))).isEqualTo(Renewal.LOST);
        letPass(LEASE.multipliedBy(2));
        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aRecordIsKeptForItsTtlCountedFromTheRecord() {
        Claim mine = held("k");
        letPass(LEASE.dividedBy(2));
        assertWritten(mine, 200);
        letPass(TTL.minus(tick()));
        assertRecorded(rivalOf(mine), 200);
        letPass(tick());

        assertGranted(rivalOf(mine));
    }

    @Test
    void aTtlShorterThanTheLeaseEndsTheRecordAllTheSame() {
        Claim mine = held("k");
        Duration ttl = Duration.ofSeconds(10);
        store.record(mine, RecordedAnswer.of(200), ttl);
        letPass(ttl);

        assertGranted(rivalOf(mine));
    }

    @Test
    void aRepeatedRecordSucceedsAndKeepsTheFirstOnesStatusAndTtl() {
        Claim mine = recorded("k");
        letPass(TTL.dividedBy(2));
        assertWritten(mine, 201);
        assertRecorded(rivalOf(mine), 200);
        letPass(TTL.dividedBy(2));

        assertGranted(rivalOf(mine));
    }

    @Test
    void aRecordWithNothingThereIsWritten() {
        Claim mine = claim("k");
        assertWritten(mine, 200);

        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void anOwnClaimThatEndedCanStillRecordWhenNobodyTookIt() {
        Claim mine = held("k");
        letPass(LEASE.multipliedBy(2));
        assertWritten(mine, 200);
        letPass(TTL.minus(tick()));

        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aLateRecordDoesNotOverwriteAReclaimedClaim() {
        Claim late = held("k");
        letPass(LEASE);
        Claim now = held("k");
        letPass(Duration.ofSeconds(10));

        Recording.OwnedByAnother superseded =
                (Recording.OwnedByAnother) store.record(late, RecordedAnswer.of(200), TTL);

        assertThat(superseded.running()).isTrue();
        assertThat(superseded.leaseLeft()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(20));
        assertInFlight(rivalOf(now));
        assertWritten(now, 202);
        assertRecorded(rivalOf(now), 202);
    }

    @Test
    void aLateRecordDoesNotOverwriteAnothersRecord() {
        Claim late = held("k");
        letPass(LEASE);
        Claim now = held("k");
        assertWritten(now, 202);

        assertThat(store.record(late, RecordedAnswer.of(200), TTL))
                .isEqualTo(new Recording.OwnedByAnother(false, Duration.ZERO));
        assertRecorded(rivalOf(now), 202);
    }

    @Test
    void aLateRecordAfterTheSecondOwnerReleasedIsWritten() {
        Claim late = held("k");
        letPass(LEASE);
        store.release(held("k"));

        assertWritten(late, 200);
        assertRecorded(rivalOf(late), 200);
    }

    @Test
    void whatIsFoundIsWhatAClaimWouldBeToldAndNothingIsClaimed() {
        Claim mine = held("in flight");
        Claim done = recorded("done");

        assertThat(store.find(key("absent"))).isEmpty();
        assertThat(store.find(mine.key())).containsInstanceOf(Reservation.AlreadyClaimed.class);
        assertThat(store.find(done.key()))
                .contains(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(200)));
        assertGranted(claim("absent"));
    }

    @Test
    void whatHasEndedIsNotFound() {
        Claim mine = held("in flight");
        Claim done = recorded("done");
        letPass(LEASE);
        assertThat(store.find(mine.key())).isEmpty();
        assertThat(store.find(done.key())).isPresent();
        letPass(TTL);
        assertThat(store.find(done.key())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 87_382, 1_398_102})
    void anAnswerComesBackAsItWasRecorded(int length) {
        Claim mine = held("k");
        StringBuilder content = new StringBuilder();
        new Random(length).ints(length, '!', '~' + 1).forEach(it -> content.append((char) it));
        RecordedAnswer answer = new RecordedAnswer(201, content.toString());
        assertThat(store.record(mine, answer, TTL)).isInstanceOf(Recording.Written.class);

        assertThat(store.reserve(rivalOf(mine))).isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, answer));
        assertThat(store.reserve(mine)).isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, answer));
        assertThat(store.find(mine.key())).contains(new Reservation.AlreadyRecorded(Fingerprint.NONE, answer));
    }

    @Test
    void aRecordWithAnAnswerIsItsOwnersLikeAnyOther() {
        Claim mine = held("k");
        RecordedAnswer first = new RecordedAnswer(201, "first");
        assertThat(store.record(mine, first, TTL)).isInstanceOf(Recording.Written.class);

        assertThat(store.record(mine, new RecordedAnswer(200, "second"), TTL)).isInstanceOf(Recording.Written.class);
        assertWritten(mine, 200);
        assertThat(store.renew(mine)).isEqualTo(Renewal.HELD);
        assertThat(store.release(mine)).isFalse();
        assertThat(store.record(rivalOf(mine), new RecordedAnswer(200, "second"), TTL))
                .isEqualTo(new Recording.OwnedByAnother(false, Duration.ZERO));
        assertThat(store.renew(rivalOf(mine))).isEqualTo(Renewal.LOST);
        assertThat(store.find(mine.key())).contains(new Reservation.AlreadyRecorded(Fingerprint.NONE, first));
    }

    @Test
    void aRecordWithoutAnAnswerDoesNotGetOneLater() {
        Claim mine = recorded("k");

        assertThat(store.record(mine, new RecordedAnswer(201, "late"), TTL)).isInstanceOf(Recording.Written.class);
        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aReleasedKeyIsGrantedToTheNext() {
        Claim mine = held("k");

        assertThat(store.release(mine)).isTrue();
        assertGranted(rivalOf(mine));
    }

    @Test
    void aReleaseLeavesNothingBehind() {
        Claim mine = held("k");
        store.release(mine);

        assertThat(store.release(mine)).isFalse();
        assertGranted(mine);
        assertThat(store.release(mine)).isTrue();
        assertWritten(rivalOf(mine), 200);
    }

    @Test
    void aReleaseOfAnAbsentKeyDoesNothing() {
        Claim mine = claim("k");

        assertThat(store.release(mine)).isFalse();
        assertGranted(mine);
    }

    @Test
    void aReleaseByAnotherDoesNothing() {
        Claim mine = held("k");

        assertThat(store.release(rivalOf(mine))).isFalse();
        assertInFlight(rivalOf(mine));
    }

    @Test
    void aLateReleaseDoesNotTakeTheNewOwnersClaimAway() {
        Claim late = held("k");
        letPass(LEASE);
        Claim now = held("k");

        assertThat(store.release(late)).isFalse();
        assertInFlight(rivalOf(now));
    }

    @Test
    void aReleaseAfterTheLeasesEndFreesNothing() {
        Claim late = held("k");
        letPass(LEASE);

        assertThat(store.release(late)).isFalse();
        assertGranted(rivalOf(late));
    }

    @Test
    void aRenewalStartsTheLeaseAnew() {
        Claim mine = held("k");
        letPass(LEASE.dividedBy(2));
        assertThat(store.renew(mine)).isEqualTo(Renewal.HELD);
        letPass(LEASE.minus(tick()));
        assertInFlight(rivalOf(mine));
        letPass(tick());

        assertGranted(rivalOf(mine));
    }

    @Test
    void aRenewalOfAnEndedClaimThatNobodyTookClaimsAgain() {
        Claim mine = held("k");
        letPass(LEASE.multipliedBy(2));

        assertThat(store.renew(mine)).isEqualTo(Renewal.HELD);
        assertInFlight(rivalOf(mine));
        letPass(LEASE);
        assertGranted(rivalOf(mine));
    }

    @Test
    void aRenewalOfAnAbsentKeyClaimsIt() {
        Claim mine = claim("k");

        assertThat(store.renew(mine)).isEqualTo(Renewal.HELD);
        assertInFlight(rivalOf(mine));
    }

    @Test
    void aRenewalOfManyAnswersForEachInTheirOrder() {
        Claim late = held("late");
        letPass(LEASE);
        Claim now = held("late");
        Claim mine = held("mine");
        Claim absent = claim("absent");
        Claim done = recorded("done");

        assertThat(store.renewAll(List.of(mine, late, absent, done, now)))
                .containsExactly(Renewal.HELD, Renewal.LOST, Renewal.HELD, Renewal.HELD, Renewal.HELD);
        assertInFlight(rivalOf(absent));
        assertThat(store.renewAll(List.of())).isEmpty();
    }

    @Test
    void twoThousandClaimsAreRenewedTogether() {
        List<Claim> claims =
                IntStream.range(0, 2_000).mapToObj(it -> claim("k" + it)).toList();

        assertThat(store.renewAll(claims)).hasSize(2_000).containsOnly(Renewal.HELD);
        assertThat(store.renewAll(claims)).hasSize(2_000).containsOnly(Renewal.HELD);
        assertThat(store.renewAll(claims.stream().map(it -> rivalOf(it)).toList()))
                .containsOnly(Renewal.LOST);
    }

    @Test
    void aRenewalOfATakenKeyIsLostAndTakesNothing() {
        Claim late = held("k");
        letPass(LEASE);
        Claim now = held("k");
        letPass(LEASE.dividedBy(2));

        assertThat(store.renew(late)).isEqualTo(Renewal.LOST);
        assertInFlight(late);
        letPass(LEASE.dividedBy(2));
        assertGranted(rivalOf(now));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE exactly_once; --",
                "a:b|c%d*e?f[g]h{i}j",
                "\"quoted\" \\back\\ /slash/",
                "schön ☃ 𝄞",
                "sha256-x",
                " leading and trailing ",
                "CASE",
            })
    void aKeyMayHoldAnything(String part) {
        Claim mine = held(part);
        held("case");
        assertInFlight(rivalOf(mine));
        assertWritten(mine, 200);
        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aKeyOfTheGreatestLengthIsKept() {
        Claim mine = recorded("x".repeat(150));
        assertRecorded(rivalOf(mine), 200);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 204, 299, 302, 404, 599})
    void everyStatusIsKept(int status) {
        Claim mine = held("k");
        assertWritten(mine, status);

        assertRecorded(rivalOf(mine), status);
    }

    @Test
    void ofTwoHundredClaimsAtOnceExactlyOneIsGranted() throws Exception {
        List<Reservation> answers = Together.run(200, i -> store.reserve(claim("k")));

        assertThat(answers).filteredOn(Reservation.Granted.class::isInstance).hasSize(1);
        assertThat(answers)
                .filteredOn(Reservation.AlreadyClaimed.class::isInstance)
                .hasSize(199);
    }

    @Test
    void ofFiftyClaimsAtOnceOnAStaleKeyExactlyOneIsGranted() throws Exception {
        held("k");
        letPass(LEASE);

        List<Reservation> answers = Together.run(50, i -> store.reserve(claim("k")));

        assertThat(answers).filteredOn(Reservation.Granted.class::isInstance).hasSize(1);
        assertThat(answers)
                .filteredOn(Reservation.AlreadyClaimed.class::isInstance)
                .hasSize(49);
    }

    @Test
    void ofFiftyRecordsAtOnceExactlyOneIsWritten() throws Exception {
        List<Recording> answers = Together.run(50, i -> store.record(claim("k"), RecordedAnswer.of(200), TTL));

        assertThat(answers).filteredOn(Recording.Written.class::isInstance).hasSize(1);
    }

    @Test
    void aProbeOfAWorkingStorePassesAndChangesNothing() {
        Claim mine = held("k");
        Claim done = recorded("done");

        assertThatCode(store::probe).doesNotThrowAnyException();
        assertInFlight(rivalOf(mine));
        assertRecorded(rivalOf(done), 200);
    }
}
