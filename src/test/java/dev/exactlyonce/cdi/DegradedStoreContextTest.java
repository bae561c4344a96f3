package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.config.Settings;
import dev.exactlyonce.config.SettingsReader;
import dev.exactlyonce.guard.DegradedFact;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.StoreRisk;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DegradedStoreContextTest {
    private final SettableClock clock = new SettableClock();
    private final DegradedFacts facts = new DegradedFacts(clock, event -> {});
    private final Settings settings =
            SettingsReader.ofThisApplication("test").read(Set.of("github")).settings();
    private final DegradedStoreContext context = new DegradedStoreContext(settings, facts, clock);

    private List<String> reasons() {
        return facts.all().stream().map(DegradedFact::reason).toList();
    }

    @Test
    void theWorstRiskIsShownFirstAndMasksNoOther() {
        context.raise(StoreRisk.UNOBSERVABLE, "unobservable", "hint");
        context.raise(StoreRisk.MAY_EVICT, "may evict", "hint");
        context.claimsMayBeLost("restarted", "hint");
        context.raise(StoreRisk.SHARED_KEYS, "shared", "hint");

        assertThat(reasons()).containsExactly("shared", "restarted", "may evict", "unobservable");
        context.clear(StoreRisk.SHARED_KEYS);
        assertThat(reasons()).doesNotContain("shared");
    }

    @Test
    void lostClaimsAreShownForOneLeaseAndKnownRecordsAreWrittenAgain() {
        AtomicInteger restored = new AtomicInteger();
        context.restoredBy(restored::incrementAndGet);

        context.claimsMayBeLost("restarted", "hint");

        assertThat(restored).hasValue(1);
        clock.advance(settings.sources().longestLease().minusMillis(1));
        assertThat(reasons()).containsExactly("restarted");
        clock.advance(Duration.ofMillis(1));
        assertThat(reasons()).isEmpty();
    }

    @Test
    void aRecordThatWasRemovedEarlyIsShownUntilItWouldHaveEnded() {
        context.raiseUntil(
                StoreRisk.RECORD_REMOVED, "full", "hint", clock.instant().plusSeconds(1));

        assertThat(reasons()).containsExactly("full");
        clock.advance(Duration.ofSeconds(1));
        assertThat(reasons()).isEmpty();
    }

    @Test
    void aStoreThatCannotBeOpenedHereIsReplacedInMemoryWhichIsShown() {
        try (IdempotencyStore store = context.inMemoryInstead("no driver", "hint")) {
            assertThat(store).isInstanceOf(MemoryStore.class);
        }
        assertThat(reasons()).containsExactly("no driver");
    }
}
