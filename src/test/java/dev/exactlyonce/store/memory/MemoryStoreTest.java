package dev.exactlyonce.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.FallbackStoreContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends FallbackStoreContract {
    private final List<Instant> evicted = new ArrayList<>();

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        return new MemoryStore(MemoryStore.DEFAULT_CAPACITY, clock, evicted::add);
    }

    private void boundedTo(int capacity) {
        store = new MemoryStore(capacity, clock, evicted::add);
    }

    @Test
    void whenFullTheOldestRecordIsForgottenAndItsEndIsTold() {
        boundedTo(3);
        Instant oldestEnds = clock.instant().plus(TTL);
        Claim oldest = recorded("oldest");
        letPass(Duration.ofSeconds(1));
        Claim younger = recorded("younger");
        Claim running = held("running");
        held("next");

        assertThat(evicted).containsExactly(oldestEnds);
        assertRecorded(rivalOf(younger), 200);
        assertInFlight(rivalOf(running));
        assertGranted(rivalOf(oldest));
    }

    @Test
    void aKeyRecordedAgainAfterItsTtlCountsAsYoung() {
        boundedTo(2);
        Claim first = recorded("first");
        letPass(TTL.dividedBy(2));
        recorded("second");
        letPass(TTL.dividedBy(2));
        recorded("first");
        held("next");

        assertRecorded(rivalOf(first), 200);
    }

    @Test
    void endedKeysMakeRoomBeforeAnyRecordIsForgotten() {
        boundedTo(2);
        held("stale");
        Claim kept = recorded("kept");
        letPass(LEASE);
        held("next");

        assertThat(evicted).isEmpty();
        assertRecorded(rivalOf(kept), 200);
    }

    @Test
    void aRecordOfAHeldKeyNeedsNoRoom() {
        boundedTo(1);
        Claim mine = recorded("k");

        assertThat(evicted).isEmpty();
        assertRecorded(rivalOf(mine), 200);
    }

    @Test
    void aStoreFullOfClaimsIsUnavailableAndForgetsNone() {
        boundedTo(2);
        Claim one = held("one");
        Claim two = held("two");

        assertThatThrownBy(() -> store.reserve(claim("three"))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.renew(claim("three"))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.record(claim("three"), RecordedAnswer.of(200), TTL))
                .isInstanceOf(StoreUnavailableException.class);
        assertInFlight(rivalOf(one));
        assertInFlight(rivalOf(two));
        store.release(one);
        held("three");
    }

    @Test
    void aFullStoreRenewsWhatItHolds() {
        boundedTo(2);
        Claim one = held("one");
        Claim two = held("two");

        List<Renewal> answers = store.renewAll(List.of(one, claim("three"), two));

        assertThat(answers.get(0)).isEqualTo(Renewal.HELD);
        assertThat(answers.get(1)).isInstanceOf(Renewal.Unanswered.class);
        assertThat(answers.get(2)).isEqualTo(Renewal.HELD);
    }

    @Test
    void aCapacityOfNothingIsRefused() {
        assertThatThrownBy(() -> boundedTo(0)).hasMessage("capacity must be > 0, was 0");
    }
}
