package dev.exactlyonce.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every case beside its peer: a fork of each in turn, five times over, so that a machine that changes its speed
 * changes it for all. Prints the median of the forks, and of their ratios.
 */
public final class Bench {
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
    private static final int[] THREADS = {1, 16, 64};

    private final Map<String, List<Double>> numbers = new LinkedHashMap<>();
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

    private Bench() {}

    public static void main(String[] arguments) throws RunnerException {
        Bench bench = new Bench();
        for (int round = 1; round <= ROUNDS; round++) {
            System.out.printf("round %d of %d%n", round, ROUNDS);
            for (int threads : THREADS) {
                bench.deliveries(threads);
            }
            bench.reserves();
        }
        print("| case | median | least | most |", "%,.0f", bench.numbers);
        print("| ratio | median | least | most |", "%.2f", bench.ratios);
    }

    private void deliveries(int threads) throws RunnerException {
        double store = fork("SqliteDelivery.store", threads).getPrimaryResult().getScore();
        double raw = fork("SqliteDelivery.raw", threads).getPrimaryResult().getScore();
        String suffix = String.format("%d thread%s", threads, threads == 1 ? "" : "s");
        add(numbers, "deliveries/s, store, " + suffix, store);
        add(numbers, "deliveries/s, raw client, " + suffix, raw);
        add(ratios, "store to raw client, " + suffix, store / raw);
    }

    private void reserves() throws RunnerException {
        RunResult result = fork("SqliteReserve.pair", 1);
        double pairs = result.getPrimaryResult().getScore();
        double few = result.getSecondaryResults().get("few").getScore();
        double many = result.getSecondaryResults().get("many").getScore();
        double microsOfBoth = TimeUnit.SECONDS.toMicros(1) / pairs;
        add(numbers, "µs of a reserve, 1,000 keys", microsOfBoth * few / (few + many));
        add(numbers, "µs of a reserve, 1,000,000 keys", microsOfBoth * many / (few + many));
        add(ratios, "time of a reserve, 1,000,000 keys to 1,000", many / few);
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

    private static void add(Map<String, List<Double>> all, String name, double value) {
        all.computeIfAbsent(name, it -> new ArrayList<>()).add(value);
        System.out.printf(Locale.ROOT, "  %s: %,.2f%n", name, value);
    }

    private static void print(String head, String format, Map<String, List<Double>> all) {
        System.out.printf("%n%s%n|---|---|---|---|%n", head);
        String row = "| %s | " + format + " | " + format + " | " + format + " |%n";
        all.forEach((name, values) -> {
            List<Double> sorted = values.stream().sorted().toList();
            System.out.printf(
                    Locale.ROOT,
                    row,
                    name,
                    sorted.get(sorted.size() / 2),
                    sorted.get(0),
                    sorted.get(sorted.size() - 1));
        });
    }
}
