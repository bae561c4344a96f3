package dev.exactlyonce.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The store by itself, beside a raw client: one fork of every case a round. */
final class Stores {
    private static final int[] THREADS = {1, 16, 64};

    private final Numbers numbers;

    Stores(Numbers numbers) {
        this.numbers = numbers;
    }

    void run() throws RunnerException {
        for (int round = 1; round <= Bench.ROUNDS; round++) {
            System.out.printf("stores, round %d of %d%n", round, Bench.ROUNDS);
            for (int threads : THREADS) {
                deliveries("SqliteDelivery", "sqlite", threads);
                deliveries("RedisDelivery", "redis", threads);
            }
            reserves();
        }
    }

    private void deliveries(String benchmark, String name, int threads) throws RunnerException {
        double store = fork(benchmark + ".store", threads).getPrimaryResult().getScore();
        double raw = fork(benchmark + ".raw", threads).getPrimaryResult().getScore();
        String suffix = String.format("%s, %d thread%s", name, threads, threads == 1 ? "" : "s");
        numbers.add("deliveries/s, store, " + suffix, store);
        numbers.add("deliveries/s, raw client, " + suffix, raw);
        numbers.addRatio("store to raw client, " + suffix, store / raw);
    }

    private void reserves() throws RunnerException {
        RunResult result = fork("SqliteReserve.pair", 1);
        double pairs = result.getPrimaryResult().getScore();
        double few = result.getSecondaryResults().get("few").getScore();
        double many = result.getSecondaryResults().get("many").getScore();
        double microsOfBoth = TimeUnit.SECONDS.toMicros(1) / pairs;
        numbers.add("µs of a reserve, 1,000 keys", microsOfBoth * few / (few + many));
        numbers.add("µs of a reserve, 1,000,000 keys", microsOfBoth * many / (few + many));
        numbers.addRatio("time of a reserve, 1,000,000 keys to 1,000", many / few);
    }

    private static RunResult fork(String benchmark, int threads) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(Bench.class.getPackageName() + "." + benchmark + "$")
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.SECONDS)
                .threads(threads)
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(2))
                .measurementIterations(3)
                .measurementTime(TimeValue.seconds(2))
                .verbosity(VerboseMode.SILENT);
        return new Runner(options.build()).run().iterator().next();
    }
}
