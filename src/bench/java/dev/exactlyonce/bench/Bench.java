package dev.exactlyonce.bench;

import java.util.ArrayList;
import java.util.Collection;
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

/**
 * Runs every case beside its peer: a fork of each in turn, five times over, so that a machine that changes its speed
 * changes it for all. Prints the median of the forks, and the ratios that are promised.
 */
public final class Bench {
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
    private static final int[] THREADS = {1, 16, 64};

    private record Case(String benchmark, int threads, int keys) {
        @Override
        public String toString() {
            String size = keys == 0 ? "" : String.format(Locale.ROOT, ", %,d keys", keys);
            return String.format(Locale.ROOT, "%s, %d thread%s%s", benchmark, threads, threads == 1 ? "" : "s", size);
        }
    }

    private Bench() {}

    public static void main(String[] arguments) throws RunnerException {
        List<Case> cases = new ArrayList<>();
        for (int threads : THREADS) {
            cases.add(new Case("SqliteDelivery.store", threads, 0));
            cases.add(new Case("SqliteDelivery.raw", threads, 0));
        }
        for (int threads : new int[] {1, 64}) {
            cases.add(new Case("SqliteReserve.reserve", threads, 1_000));
            cases.add(new Case("SqliteReserve.reserve", threads, 1_000_000));
        }
        Map<Case, List<Double>> scores = new LinkedHashMap<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (Case it : cases) {
                double score = run(it);
                scores.computeIfAbsent(it, key -> new ArrayList<>()).add(score);
                System.out.printf(Locale.ROOT, "round %d of %d: %s: %,.0f/s%n", round, ROUNDS, it, score);
            }
        }
        print(scores);
    }

    private static double run(Case it) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(Bench.class.getPackageName() + "." + it.benchmark() + "$")
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.SECONDS)
                .threads(it.threads())
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(2))
                .measurementIterations(3)
                .measurementTime(TimeValue.seconds(2))
                .verbosity(org.openjdk.jmh.runner.options.VerboseMode.SILENT);
        if (it.keys() > 0) {
            options.param("keys", Integer.toString(it.keys()));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        return results.iterator().next().getPrimaryResult().getScore();
    }

    private static void print(Map<Case, List<Double>> scores) {
        System.out.printf("%n| case | median, 1/s | least | most |%n|---|---|---|---|%n");
        scores.forEach((it, all) -> System.out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | %,.0f |%n",
                it,
                median(all),
                all.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                all.stream().mapToDouble(Double::doubleValue).max().orElseThrow()));
        System.out.printf("%n| ratio | measured | promised |%n|---|---|---|%n");
        for (int threads : THREADS) {
            double ratio = median(scores.get(new Case("SqliteDelivery.store", threads, 0)))
                    / median(scores.get(new Case("SqliteDelivery.raw", threads, 0)));
            System.out.printf(
                    Locale.ROOT,
                    "| throughput, store to raw, %d threads | %.2f | %s |%n",
                    threads,
                    ratio,
                    threads == 64 ? "≥ 5" : "");
        }
        for (int threads : new int[] {1, 64}) {
            double ratio = median(scores.get(new Case("SqliteReserve.reserve", threads, 1_000)))
                    / median(scores.get(new Case("SqliteReserve.reserve", threads, 1_000_000)));
            System.out.printf(
                    Locale.ROOT,
                    "| time of a reserve, 1,000,000 keys to 1,000, %d threads | %.2f | ≤ 1.5 |%n",
                    threads,
                    ratio);
        }
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow();
    }
}
