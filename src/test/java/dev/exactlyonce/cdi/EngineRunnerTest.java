package dev.exactlyonce.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.Batch;
import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.ExactlyOnceRunner.Result;
import dev.exactlyonce.admission.AdmissionEngine;
import dev.exactlyonce.admission.DeliveryVerifier;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.admission.SourcePolicy.Duplicates;
import dev.exactlyonce.admission.SourcePolicy.FingerprintBy;
import dev.exactlyonce.admission.SourcePolicy.OnOutage;
import dev.exactlyonce.admission.SourcePolicy.RecordOn;
import dev.exactlyonce.event.DeliveryEvent;
import dev.exactlyonce.event.KeyedDeliveryEvent;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.guard.OutageTexts;
import dev.exactlyonce.guard.StoreGuard;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.MessageFilters;
import dev.exactlyonce.source.SignedValues;
import dev.exactlyonce.source.SourceSettings;
import dev.exactlyonce.source.Sources;
import dev.exactlyonce.source.UrlValidation;
import dev.exactlyonce.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineRunnerTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final List<DeliveryEvent> events = new ArrayList<>();
    private final ExactlyOnceRunner admitting = runner(OnOutage.ADMIT, 10);

    private ExactlyOnceRunner runner(OnOutage onOutage, int capacity) {
        return runner(onOutage, capacity, Duplicates.ACK);
    }

    private ExactlyOnceRunner runner(OnOutage onOutage, int capacity, Duplicates duplicates) {
        MemoryStore store = new MemoryStore(capacity, CLOCK, until -> {});
        StoreGuard guard = new StoreGuard(
                store, new OutageTexts("full", "look at it", "memory"), new DegradedFacts(CLOCK, event -> {}), () -> 0);
        SourcePolicy policy = new SourcePolicy(
                "billing",
                KeyExpressions.parse(KeyExpressions.DEFAULT, false),
                DeliveryVerifier.NONE,
                LEASE,
                Duration.ofHours(1),
                1024,
                FingerprintBy.BODY,
                RecordOn.SUCCESS,
                onOutage,
                duplicates);
        return new EngineRunner(
                new AdmissionEngine(
                        guard,
                        new AdmissionEngine.Limits(10, Duration.ofHours(1)),
                        events::add,
                        () -> 0,
                        Runnable::run),
                new Sources(Map.of(
                        "billing",
                        new SourceSettings(
                                policy,
                                409,
                                false,
                                65_536,
                                MessageFilters.NONE,
                                false,
                                Optional.empty(),
                                UrlValidation.HEAD,
                                SignedValues.NONE,
                                false))),
                new AmbientTransaction(),
                new RequestDelivery());
    }

    @Test
    void workIsGivenItsFencingTokenAndTheNextRunALargerOne() throws Exception {
        AtomicLong first = new AtomicLong();
        assertThatThrownBy(() -> admitting.runFenced("billing", List.of("fenced"), fence -> {
                    first.set(fence);
                    throw new IllegalStateException("again");
                }))
                .hasMessage("again");
        Result<Long> second = admitting.runFenced("billing", List.of("fenced"), fence -> fence);

        assertThat(first.get()).isPositive();
        assertThat(((Result.Ran<Long>) second).value()).isGreaterThan(first.get());
    }

    @Test
    void workRunsOnceAndItsCopyIsADuplicate() throws Exception {
        assertThat(admitting.run("billing", List.of("a", "1"), () -> "done")).isEqualTo(new Result.Ran<>("done"));
        assertThat(admitting.run("billing", List.of("a", "1"), () -> "again")).isEqualTo(new Result.Duplicate<>());
        assertThat(admitting.run("billing", List.of("a:1"), () -> "other")).isEqualTo(new Result.Ran<>("other"));
        assertThat(((KeyedDeliveryEvent) events.get(0)).key()).isEqualTo("billing:billing:a:1");
    }

    @Test
    void workMayReturnNothing() throws Exception {
        assertThat(admitting.run("billing", List.of("1"), () -> null)).isEqualTo(new Result.Ran<>(null));
        assertThat(admitting.run("billing", List.of("1"), () -> null)).isEqualTo(new Result.Duplicate<>());
    }

    @Test
    void workThatFailsRunsAgain() throws Exception {
        Exception failure = new Exception("checked");
        assertThatThrownBy(() -> admitting.run("billing", List.of("1"), () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(admitting.run("billing", List.of("1"), () -> 1)).isEqualTo(new Result.Ran<>(1));
    }

    @ParameterizedTest
    @EnumSource
    void recordedWorkDoesNotRunAgainWhateverItsSourceDoesAboutRequests(Duplicates duplicates) throws Exception {
        ExactlyOnceRunner runner = runner(OnOutage.ADMIT, 10, duplicates);
        runner.run("billing", List.of("1"), () -> 1);
        assertThat(runner.run("billing", List.of("1"), () -> {
                    throw new AssertionError("ran again");
                }))
                .isEqualTo(new Result.Duplicate<>());
    }

    @Test
    void aCopyOfWorkThatRunsOrWasGivenUpOnIsInFlight() throws Exception {
        var result = admitting.run("billing", List.of("1"), () -> admitting.run("billing", List.of("1"), () -> 1));
        assertThat(result).isEqualTo(new Result.Ran<>(new Result.InFlight<>(LEASE)));
        assertThatThrownBy(() -> admitting.run("billing", List.of("2"), () -> {
                    throw new CancellationException();
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(admitting.run("billing", List.of("2"), () -> 1)).isEqualTo(new Result.InFlight<>(LEASE));
    }

    @Test
    void aStageIsRecordedWhenItEnds() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        Result<CompletableFuture<String>> ran = admitting.run("billing", List.of("1"), () -> work);
        assertThat(admitting.run("billing", List.of("1"), () -> 1)).isEqualTo(new Result.InFlight<>(LEASE));
        work.complete("done");
        assertThat(((Result.Ran<CompletableFuture<String>>) ran).value().join()).isEqualTo("done");
        assertThat(admitting.run("billing", List.of("1"), () -> 1)).isEqualTo(new Result.Duplicate<>());
    }

    private static List<String> keyOf(int item) {
        return List.of("item", Integer.toString(item));
    }

    @Test
    void ofABatchWhatIsNewRunsWhatIsRecordedDoesNotAndWhatFailedRunsAgain() {
        List<Integer> ran = new ArrayList<>();
        IllegalStateException failure = new IllegalStateException("two");
        Batch first = admitting.forEach("billing", List.of(1, 2, 3, 1), EngineRunnerTest::keyOf, item -> {
            if (item == 2) {
                throw failure;
            }
            ran.add(item);
        });
        Batch second = admitting.forEach("billing", List.of(1, 2, 3), EngineRunnerTest::keyOf, ran::add);

        assertThat(first).isEqualTo(new Batch(2, 1, 0, Duration.ZERO, 0, List.of(failure)));
        assertThat(first.isComplete()).isFalse();
        assertThat(second).isEqualTo(new Batch(1, 2, 0, Duration.ZERO, 0, List.of()));
        assertThat(second.isComplete()).isTrue();
        assertThat(ran).containsExactly(1, 3, 2);
    }

    @Test
    void anItemThatRunsElsewhereIsNotRunAndKeepsTheBatchFromBeingComplete() throws Exception {
        var result = admitting.run(
                "billing",
                keyOf(1),
                () -> admitting.<Integer>forEach("billing", List.of(1, 2), EngineRunnerTest::keyOf, item -> {}));

        assertThat(result).isEqualTo(new Result.Ran<>(new Batch(1, 0, 1, LEASE, 0, List.of())));
    }

    @Test
    void anItemWhoseKeyCannotBeFoundFailsAlone() {
        Batch batch =
                admitting.forEach("billing", List.of(1, 2), item -> item == 1 ? List.of() : keyOf(item), item -> {});

        assertThat(batch.ran()).isEqualTo(1);
        assertThat(batch.failures()).hasSize(1);
    }

    @Test
    void aBatchOfAnUndeclaredSourceIsRefusedAsAWhole() {
        assertThatThrownBy(() -> admitting.<Integer>forEach("github", List.of(1), EngineRunnerTest::keyOf, item -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBatchWithoutASourceNeedsADelivery() {
        assertThatThrownBy(() -> admitting.<Integer>forEach(List.of(1), EngineRunnerTest::keyOf, item -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void inAnOutageTheSourceDecides() throws Exception {
        ExactlyOnceRunner full = runner(OnOutage.REJECT, 1);
        var result = full.run("billing", List.of("1"), () -> full.run("billing", List.of("2"), () -> 2));
        assertThat(result).isEqualTo(new Result.Ran<>(new Result.Unavailable<>()));
    }

    @Test
    void anUndeclaredSourceIsRefusedWithThoseThatAreDeclared() {
        assertThatThrownBy(() -> admitting.run("github", List.of("1"), () -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the source 'github' is not declared; name it in exactlyonce.sources, or use one of [billing]");
    }

    @Test
    void aMalformedKeyIsRefusedWithoutBeingShown() {
        assertThatThrownBy(() -> admitting.run("billing", List.of("secret\n"), () -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> admitting.run("billing", List.of(), () -> 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
