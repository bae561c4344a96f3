package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a store owes beside, that can stand in for a shared one. */
public abstract class FallbackStoreContract extends IdempotencyStoreContract {
    private FallbackStore fallback() {
        return (FallbackStore) store;
    }

    @Test
    void whatIsFoundIsWhatAClaimWouldBeToldAndNothingIsClaimed() {
        Claim mine = held("in flight");
        Claim done = recorded("done");

        assertThat(fallback().find(key("absent"))).isEmpty();
        assertThat(fallback().find(mine.key())).containsInstanceOf(Reservation.InFlight.class);
        assertThat(fallback().find(done.key())).contains(new Reservation.Recorded(Fingerprint.NONE, 200));
        assertGranted(claim("absent"));
    }

    @Test
    void whatHasEndedIsNotFound() {
        Claim mine = held("in flight");
        Claim done = recorded("done");
        letPass(LEASE);
        assertThat(fallback().find(mine.key())).isEmpty();
        assertThat(fallback().find(done.key())).isPresent();
        letPass(TTL);
        assertThat(fallback().find(done.key())).isEmpty();
    }

    @Test
    void aStoreIsEmptyWhenItsLastRowHasEnded() {
        assertThat(fallback().isEmpty()).isTrue();
        held("in flight");
        assertThat(fallback().isEmpty()).isFalse();
        recorded("done");
        letPass(LEASE);
        assertThat(fallback().isEmpty()).isFalse();
        letPass(TTL);
        assertThat(fallback().isEmpty()).isTrue();
    }
}
