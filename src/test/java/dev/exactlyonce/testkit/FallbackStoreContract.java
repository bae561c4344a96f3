package dev.exactlyonce.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.FallbackStore;
import org.junit.jupiter.api.Test;

/** What a store must guarantee besides, to be the fallback of a shared one. */
public abstract class FallbackStoreContract extends IdempotencyStoreContract {
    private FallbackStore fallback() {
        return (FallbackStore) store;
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
