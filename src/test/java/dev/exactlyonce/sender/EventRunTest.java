package dev.exactlyonce.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRunTest {
    private static final UUID RUN = UUID.fromString("0b0e7a3c-33a5-4a3f-9d5e-2f6f4f1d9a10");

    @Test
    void aKeyIsTheRunTheTypeAndTheStep() {
        EventRun run = EventRun.of(RUN);

        assertThat(List.of(run.next("tool_end"), run.next("tool_end"), run.next("llm_end"), run.next("tool_end")))
                .extracting(EventKey::value)
                .containsExactly(RUN + ":tool_end:1", RUN + ":tool_end:2", RUN + ":llm_end:1", RUN + ":tool_end:3");
        assertThat(run.count()).isEqualTo(EventRun.Count.PER_TYPE);
    }

    @Test
    void aCounterOfTheWholeRunIsSharedByItsTypes() {
        EventRun run = EventRun.of(RUN, EventRun.Count.PER_RUN);

        assertThat(List.of(run.next("tool_end"), run.next("tool_end"), run.next("llm_end"), run.next("tool_end")))
                .extracting(EventKey::value)
                .containsExactly(RUN + ":tool_end:1", RUN + ":tool_end:2", RUN + ":llm_end:3", RUN + ":tool_end:4");
    }

    /** Python's {@code uuid.UUID} and its {@code str} write an id as {@code java.util.UUID} does. */
    @Test
    void aRunThatIsGivenAsTextMakesTheKeysThatTheTextBegins() {
        assertThat(EventRun.of(UUID.fromString("0B0E7A3C-33A5-4A3F-9D5E-2F6F4F1D9A10"))
                        .next("paid"))
                .isEqualTo(new EventKey("0b0e7a3c-33a5-4a3f-9d5e-2f6f4f1d9a10:paid:1"));
    }

    @Test
    void aRunThatIsRepeatedHasTheSameKeysAndAnotherRunHasOthers() {
        assertThat(EventRun.of(RUN).next("paid")).isEqualTo(EventRun.of(RUN).next("paid"));
        assertThat(EventRun.start().next("paid")).isNotEqualTo(EventRun.start().next("paid"));
    }

    @Test
    void aSubRunThatIsGivenTheHandleCountsOn() {
        EventRun run = EventRun.of(RUN);
        run.next("paid");

        assertThat(inASubRun(run)).isEqualTo(new EventKey(RUN + ":paid:2"));
        assertThat(run.next("paid")).isEqualTo(new EventKey(RUN + ":paid:3"));
    }

    private static EventKey inASubRun(EventRun run) {
        return run.next("paid");
    }

    @Test
    void noTwoThreadsGetTheSameKey() {
        for (EventRun.Count count : EventRun.Count.values()) {
            EventRun run = EventRun.start(count);
            Set<EventKey> keys = ConcurrentHashMap.newKeySet();

            IntStream.range(0, 10_000).parallel().forEach(i -> keys.add(run.next("paid")));

            assertThat(keys).hasSize(10_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:b", "invoice.paid", "two words", "naïve", "a\nb"})
    void aTypeThatWouldBreakTheKeyIsRefused(String type) {
        assertThatThrownBy(() -> EventRun.start().next(type)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTypeOfMoreThan128CharactersIsRefused() {
        assertThat(EventRun.of(RUN).next("a".repeat(128)).value()).endsWith("a:1");
        assertThatThrownBy(() -> EventRun.start().next("a".repeat(129))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "two words", "naïve", "a\r\nwebhook-id: b", "\t"})
    void anOwnKeyThatNoHeaderOrSignatureCouldHoldIsRefused(String key) {
        assertThatThrownBy(() -> new EventKey(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anOwnKeyMayHave200Characters() {
        assertThat(new EventKey("k".repeat(200)).value()).hasSize(200);
        assertThatThrownBy(() -> new EventKey("k".repeat(201))).isInstanceOf(IllegalArgumentException.class);
    }
}
