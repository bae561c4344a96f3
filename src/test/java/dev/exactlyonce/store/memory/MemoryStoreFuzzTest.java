package dev.exactlyonce.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.testkit.SettableClock;
import dev.exactlyonce.testkit.StoreFuzzer;
import dev.exactlyonce.testkit.StoreFuzzer.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreFuzzTest {
    @Test
    void noAnswerIsWrong() throws Exception {
        SettableClock clock = new SettableClock();
        try (MemoryStore store = new MemoryStore(MemoryStore.DEFAULT_CAPACITY, clock, evicted -> {})) {
            StoreFuzzer fuzzer = new StoreFuzzer(List.of(store), clock, Plan.SHORT);
            fuzzer.run();

            assertThat(fuzzer.answered()).isEqualTo(Plan.SHORT.operations());
        }
    }
}
