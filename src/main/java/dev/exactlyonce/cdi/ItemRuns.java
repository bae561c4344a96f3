package dev.exactlyonce.cdi;

import dev.exactlyonce.Batch;
import dev.exactlyonce.ExactlyOnceRunner;
import dev.exactlyonce.ExactlyOnceRunner.ItemHandler;
import dev.exactlyonce.ExactlyOnceRunner.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs the items of one batch one after the other, and counts. For one thread, once. */
final class ItemRuns<T> {
    private final ExactlyOnceRunner runner;
    private final String source;
    private final Function<? super T, List<String>> keyOf;
    private final ItemHandler<? super T> handler;

    private int ran;
    private int duplicates;
    private int inFlight;
    private int unavailable;
    private Duration leaseLeft = Duration.ZERO;
    private final List<Exception> failures = new ArrayList<>();

    ItemRuns(
            ExactlyOnceRunner runner,
            String source,
            Function<? super T, List<String>> keyOf,
            ItemHandler<? super T> handler) {
        this.runner = runner;
        this.source = source;
        this.keyOf = keyOf;
        this.handler = handler;
    }

    Batch run(Iterable<? extends T> items) {
        for (T item : items) {
            try {
                count(runner.run(source, keyOf.apply(item), () -> {
                    handler.handle(item);
                    return item;
                }));
            } catch (Exception failure) { // the others run all the same
                if (failure instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                failures.add(failure);
            }
        }
        return new Batch(ran, duplicates, inFlight, leaseLeft, unavailable, failures);
    }

    private void count(Result<T> result) {
        int unused = result.fold(
                it -> ++ran,
                it -> ++duplicates,
                it -> {
                    leaseLeft = it.leaseLeft().compareTo(leaseLeft) > 0 ? it.leaseLeft() : leaseLeft;
                    return ++inFlight;
                },
                it -> ++unavailable);
    }
}
