package dev.exactlyonce.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.event.DurabilityEvent;
import dev.exactlyonce.guard.DegradedFacts.FactKind;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DegradedFactsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SettableClock clock = new SettableClock();
    private final List<DurabilityEvent> events = new ArrayList<>();
    private final DegradedFacts facts = new DegradedFacts(clock, events::add);
    private final Instant start = clock.instant();
    private final DegradedFact outage = new DegradedFact("outage", start, "hint of the outage");
    private final DegradedFact loss = new DegradedFact("loss", start, "hint of the loss");

    private final OutageTexts words = new OutageTexts(outage.reason(), outage.hint(), "memory");

    private final Outage store = new Outage(facts, FactKind.OUTAGE, words);

    private void fail() {
        store.failed("reserve", new StoreUnavailableException("away"));
    }

    private void lose(Duration until) {
        facts.raiseUntil(
                FactKind.FORGOTTEN, loss.reason(), loss.hint(), clock.instant().plus(until));
    }

    @Test
    void nothingIsDegradedAtFirst() {
        assertThat(facts.current()).isEmpty();
        assertThat(store.isOn()).isFalse();
        assertThat(facts.stands(FactKind.REFUSED)).isFalse();
    }

    @Test
    void aWriteThatWasMarkedBeforeTheFailureClearsNothing() {
        long early = store.mark();
        fail();
        store.written(early);
        assertThat(facts.current()).contains(outage);

        store.written(store.mark());
        assertThat(facts.current()).isEmpty();
    }

    @Test
    void aWriteBetweenTwoFailuresIsNotTakenForOneAfterTheSecond() {
        fail();
        long between = store.mark();
        fail();
        store.written(between);

        assertThat(facts.current()).contains(outage);
    }

    @Test
    void theOutageStaysWhileAWriteIsPending() {
        store.pendingAdded();
        store.pendingAdded();
        fail();
        store.written(store.mark());
        store.pendingRemoved();
        store.written(store.mark());
        assertThat(facts.current()).contains(outage);

        store.pendingRemoved();
        store.written(store.mark());
        assertThat(facts.current()).isEmpty();
    }

    @Test
    void aPendingWriteIsAnOutageOfItsOwn() {
        store.pendingAdded();
        assertThat(facts.current()).contains(outage);
    }

    @Test
    void aStandInStaysWhateverIsWritten() {
        facts.raise(FactKind.NO_DURABLE_STORE, words.reason(), words.hint());
        fail();
        store.written(store.mark());
        assertThat(facts.current()).contains(outage);
        assertThat(facts.stands(FactKind.NO_DURABLE_STORE)).isTrue();
    }

    @Test
    void aLossEndsAtItsTimeAndNotBefore() {
        lose(MINUTE);
        clock.advance(MINUTE.minusMillis(1));
        assertThat(facts.current()).contains(loss);
        clock.advance(Duration.ofMillis(1));

        assertThat(facts.current()).isEmpty();
    }

    @Test
    void furtherLossesLengthenTheFirstAndNeverShortenIt() {
        lose(MINUTE);
        lose(MINUTE.multipliedBy(3));
        lose(MINUTE);
        clock.advance(MINUTE.multipliedBy(2));
        assertThat(facts.current()).contains(loss);
        clock.advance(MINUTE);

        assertThat(facts.current()).isEmpty();
    }

    @Test
    void aNewReasonReplacesTheOldOneAndKeepsItsBeginning() {
        facts.raise(FactKind.SHARED, "shared with billing", "hint");
        clock.advance(MINUTE);
        facts.raise(FactKind.SHARED, "shared with billing, orders", "hint");

        DegradedFact both = new DegradedFact("shared with billing, orders", start, "hint");
        assertThat(facts.current()).contains(both);
        assertThat(events).hasSize(2).last().isEqualTo(both.degraded());
    }

    @Test
    void allFactsAreListedTheWorstFirst() {
        facts.raise(FactKind.UNOBSERVED, "unobserved", "hint");
        fail();
        lose(MINUTE);

        assertThat(facts.all()).extracting(DegradedFact::reason).containsExactly("outage", "loss", "unobserved");
        clock.advance(MINUTE);
        assertThat(facts.all()).extracting(DegradedFact::reason).containsExactly("outage", "unobserved");
    }

    @Test
    void aLossAfterALossHasABeginningOfItsOwn() {
        lose(MINUTE);
        clock.advance(MINUTE);
        lose(MINUTE);

        assertThat(facts.current()).contains(new DegradedFact("loss", start.plus(MINUTE), loss.hint()));
    }

    @Test
    void theLossOfARecordThatHadEndedIsNone() {
        lose(Duration.ZERO);

        assertThat(facts.current()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void aWriteDoesNotClearALoss() {
        lose(MINUTE);
        store.written(store.mark());

        assertThat(facts.current()).contains(loss);
    }

    @Test
    void aRefusedDeploymentMasksAnOutageAndAnOutageALoss() {
        lose(MINUTE);
        assertThat(facts.current()).contains(loss);
        fail();
        assertThat(facts.current()).contains(outage);
        facts.refuseDeployment();
        assertThat(facts.current()).map(DegradedFact::reason).contains("deployment refused");

        lose(MINUTE);
        fail();
        assertThat(facts.current()).map(DegradedFact::reason).contains("deployment refused");
    }

    @Test
    void aMilderFactDoesNotMaskAWorseOne() {
        fail();
        lose(MINUTE);
        assertThat(facts.current()).contains(outage);
        store.written(store.mark());

        assertThat(facts.current()).contains(loss);
    }

    @Test
    void aRefusedDeploymentStays() {
        facts.refuseDeployment();
        store.written(store.mark());
        clock.advance(Duration.ofDays(30));

        assertThat(facts.stands(FactKind.REFUSED)).isTrue();
        assertThat(facts.current())
                .contains(new DegradedFact("deployment refused", start, "the server's log names the class"));
    }

    @Test
    void eachTransitionIsToldOnceAndInOrder() {
        lose(MINUTE);
        lose(MINUTE);
        fail();
        fail();
        store.written(store.mark());
        store.written(store.mark());
        clock.advance(MINUTE);
        assertThat(facts.current()).isEmpty();
        assertThat(facts.current()).isEmpty();

        assertThat(events).containsExactly(loss.degraded(), outage.degraded(), loss.degraded(), loss.restored());
    }
}
