package dev.exactlyonce.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.InboxRow;
import dev.exactlyonce.spi.InboxRow.PreviousRun;
import dev.exactlyonce.spi.InboxStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoredDelivery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every inbox must guarantee. A store's own test extends this and says how to open the store. */
public abstract class InboxStoreContract {
    protected static final Duration LEASE = Duration.ofSeconds(30);
    protected static final Duration TTL = Duration.ofHours(1);
    private static final byte[] BODY = "{\"id\":1}".getBytes(StandardCharsets.UTF_8);

    protected final SettableClock clock = new SettableClock();
    protected IdempotencyStore store;
    protected InboxStore inbox;

    /** A store that has not been used yet. */
    protected abstract IdempotencyStore open(InstantSource clock) throws Exception;

    /** Lets this much time pass for the store; to be overridden where the store has its own clock. */
    protected void letPass(Duration time) {
        clock.advance(time);
    }

    @BeforeEach
    void openTheStore() throws Exception {
        store = open(clock);
        inbox = store.inbox().orElseThrow();
    }

    @AfterEach
    void closeTheStore() {
        store.close();
    }

    protected static Claim claim(String part) {
        return Claim.fresh(DeliveryKey.of("billing", "POST/hooks", List.of(part)), Fingerprint.NONE, LEASE);
    }

    protected final Reservation store(Claim claim, String... handlers) {
        return inbox.store(
                claim,
                new StoredDelivery("billing", "invoice.paid", "application/json", "X-Event: paid", BODY),
                List.of(handlers),
                TTL);
    }

    protected final InboxRow only(String owner) {
        List<InboxRow> rows = inbox.claim("billing", owner, LEASE, 10);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    protected final void assertNothingIsDue() {
        assertThat(inbox.claim("billing", "another", LEASE, 10)).isEmpty();
    }

    @Test
    void aStoredDeliveryIsRecordedAndItsHandlerGetsAllOfIt() {
        Claim mine = claim("k");
        assertThat(store(mine, "paid")).isInstanceOf(Reservation.Granted.class);

        assertThat(store.reserve(claim("k")))
                .isEqualTo(new Reservation.AlreadyRecorded(Fingerprint.NONE, RecordedAnswer.of(202)));
        InboxRow row = only("me");
        assertThat(row.key()).isEqualTo(mine.key().value());
        assertThat(row.handler()).isEqualTo("paid");
        assertThat(row.attempt()).isEqualTo(1);
        assertThat(row.previous()).isEqualTo(PreviousRun.NONE);
        assertThat(row.delivery().body()).isEqualTo(BODY);
        assertThat(row.delivery().event()).isEqualTo("invoice.paid");
        assertThat(row.delivery().headers()).isEqualTo("X-Event: paid");
        assertThat(row.delivery().contentType()).isEqualTo("application/json");
    }

    @Test
    void aCopyIsNotStored() {
        store(claim("k"), "paid");
        assertThat(store(claim("k"), "paid")).isInstanceOf(Reservation.AlreadyRecorded.class);
        only("me");
    }

    @Test
    void anAttemptWhoseReplyWasLostStoresNothingTwice() {
        Claim mine = claim("k");
        Reservation first = store(mine, "paid");
        assertThat(store(mine, "paid")).isEqualTo(first);
        only("me");
    }

    @Test
    void aKeyThatRunsInlineIsNotStored() {
        store.reserve(claim("k"));
        assertThat(store(claim("k"), "paid")).isInstanceOf(Reservation.AlreadyClaimed.class);
        assertNothingIsDue();
    }

    @Test
    void aRowThatIsDoneIsGoneAndOneThatRunsIsNobodyElses() {
        store(claim("k"), "paid");
        InboxRow row = only("me");
        assertNothingIsDue();
        assertThat(inbox.done(row)).isTrue();
        assertThat(inbox.done(row)).isFalse();
        letPass(LEASE.multipliedBy(2));
        assertNothingIsDue();
    }

    @Test
    void aRowWhoseLeaseEndedRunsAgainAndItsFirstOwnerChangesNothingMore() {
        store(claim("k"), "paid");
        InboxRow lost = only("me");
        letPass(LEASE.plusMillis(1));
        InboxRow again = only("other");

        assertThat(again.previous()).isEqualTo(PreviousRun.LEASE_EXPIRED);
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.fence()).isGreaterThan(lost.fence());
        assertThat(inbox.renew(lost, LEASE)).isFalse();
        assertThat(inbox.done(lost)).isFalse();
        assertThat(inbox.retry(lost, Duration.ZERO)).isFalse();
        assertThat(inbox.park(lost)).isFalse();
        assertThat(inbox.done(again)).isTrue();
    }

    @Test
    void aRenewedRowStaysWithItsOwner() {
        store(claim("k"), "paid");
        InboxRow row = only("me");
        letPass(LEASE.dividedBy(2));
        assertThat(inbox.renew(row, LEASE)).isTrue();
        letPass(LEASE.minusSeconds(1));
        assertNothingIsDue();
    }

    @Test
    void aFailedRowIsDueAfterItsDelay() {
        store(claim("k"), "paid");
        assertThat(inbox.retry(only("me"), Duration.ofSeconds(5))).isTrue();
        assertNothingIsDue();
        letPass(Duration.ofSeconds(5));
        assertThat(only("me").previous()).isEqualTo(PreviousRun.FAILED);
    }

    @Test
    void theRowsOfOneKeyRunOneAtATimeAndOneThatFailsRepeatsNoOther() {
        store(claim("k"), "first", "second");
        InboxRow first = only("me");
        inbox.done(first);
        InboxRow second = only("me");
        assertThat(second.handler()).isNotEqualTo(first.handler());
        inbox.retry(second, Duration.ZERO);
        assertThat(only("me").handler()).isEqualTo(second.handler());
    }

    @Test
    void aRowThatFailsAgainAndAgainKeepsNoOtherKeyFromRunning() {
        store(claim("poison"), "paid");
        inbox.retry(only("me"), Duration.ofMinutes(1));
        store(claim("sound"), "paid");
        assertThat(only("me").key()).isEqualTo(claim("sound").key().value());
    }

    @Test
    void aParkedRowWaitsUntilItIsRunAgainOrDropped() {
        store(claim("a"), "paid");
        inbox.park(only("me"));
        letPass(TTL);
        assertNothingIsDue();
        long id = inbox.parked(10).get(0).id();

        assertThat(inbox.runAgain(id)).isTrue();
        assertThat(inbox.runAgain(id)).isFalse();
        InboxRow again = only("me");
        assertThat(again.attempt()).isEqualTo(1);
        inbox.park(again);
        assertThat(inbox.drop(id)).isTrue();
        assertThat(inbox.drop(id)).isFalse();
        assertThat(inbox.parked(10)).isEmpty();
    }

    @Test
    void aSourcesRowsAreNotAnothers() {
        store(claim("k"), "paid");
        assertThat(inbox.claim("other", "me", LEASE, 10)).isEmpty();
    }
}
