package dev.exactlyonce.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured, one number a round: numbers by themselves, and ratios of what was measured side by side. */
final class Numbers {
    private final Map<String, List<Double>> numbers = new LinkedHashMap<>();
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

    void add(String name, double value) {
        add(numbers, name, value);
    }

    void addRatio(String name, double value) {
        add(ratios, name, value);
    }

    private static void add(Map<String, List<Double>> all, String name, double value) {
        all.computeIfAbsent(name, it -> new ArrayList<>()).add(value);
        System.out.printf(Locale.ROOT, "  %s: %,.2f%n", name, value);
    }

    /** Prints the median of the rounds, and of their ratios. */
    void print() {
        print("| case | median | least | most |", "%,.0f", numbers);
        print("| ratio | median | least | most |", "%.2f", ratios);
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
