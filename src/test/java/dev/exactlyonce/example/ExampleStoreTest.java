package dev.exactlyonce.example;

import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.testkit.IdempotencyStoreContract;
import dev.exactlyonce.testkit.StoreFuzzer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleStoreTest extends IdempotencyStoreContract {
    @TempDir
    Path folder;

    @Override
    protected IdempotencyStore open(InstantSource clock) {
        return new ExampleStore("jdbc:h2:" + folder.resolve("keys"), clock);
    }

    @Test
    void noAnswerIsWrong() throws Exception {
        new StoreFuzzer(List.of(store), clock, StoreFuzzer.Plan.plan(20, 4_000)).run();
    }
}
