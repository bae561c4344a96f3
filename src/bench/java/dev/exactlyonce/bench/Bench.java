package dev.exactlyonce.bench;

import java.util.List;

/**
 * Runs every case beside its peer, each in turn, round after round, so that a machine that changes its speed changes it
 * for all. Prints the medians of the rounds, and of their ratios.
 */
public final class Bench {
    static final int ROUNDS = Integer.getInteger("bench.rounds", 5);

    private Bench() {}

    /** @param arguments which, separated by commas: {@code stores}, {@code requests}, {@code sending} */
    public static void main(String[] arguments) throws Exception {
        List<String> which = List.of(arguments[0].split(","));
        Numbers numbers = new Numbers();
        if (which.contains("stores")) {
            new Stores(numbers).run();
        }
        if (which.contains("requests")) {
            new Requests(numbers).run();
        }
        if (which.contains("sending")) {
            new Sending(numbers).run();
        }
        numbers.print();
    }
}
