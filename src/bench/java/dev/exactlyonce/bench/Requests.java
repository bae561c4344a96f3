package dev.exactlyonce.bench;

import dev.exactlyonce.it.Wars;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * An annotated endpoint beside the same one bare, on one warm server: one application a store, all with the same load,
 * in turn.
 */
final class Requests {
    private static final Duration WARM_UP = Duration.ofSeconds(Integer.getInteger("bench.warm-up", 10));
    private static final Duration TURN = Duration.ofSeconds(Integer.getInteger("bench.turn", 3));

    /** An application on the server: its name is its context root. */
    private record Application(String store, List<String> configuration) {
        WebArchive war() {
            WebArchive war = Wars.of(store, Hook.App.class, Hook.Bare.class, Hook.Once.class);
            return Wars.configured(war, configuration.toArray(String[]::new));
        }

        String bare() {
            return "/" + store + "/bare";
        }

        String once() {
            return "/" + store + "/once";
        }
    }

    private static final List<Application> APPLICATIONS = List.of(
            new Application("sqlite", List.of("exactlyonce.store=sqlite")),
            new Application("memory", List.of("exactlyonce.store=memory")));

    private final Numbers numbers;

    Requests(Numbers numbers) {
        this.numbers = numbers;
    }

    void run() throws Exception {
        Path home = Path.of(System.getProperty("liberty.home"));
        int port = Integer.getInteger("bench.http.port");
        List<WebArchive> wars = APPLICATIONS.stream().map(Application::war).toList();
        try (BenchServer server = BenchServer.start(home, wars);
                Load load = new Load(port)) {
            server.await(port, APPLICATIONS.stream().map(Application::bare).toList());
            System.out.println("requests, warming up");
            for (Application it : APPLICATIONS) {
                load.fresh(it.bare(), WARM_UP);
                load.fresh(it.once(), WARM_UP);
                load.duplicates(it.once(), WARM_UP);
            }
            for (int round = 1; round <= Bench.ROUNDS; round++) {
                System.out.printf("requests, round %d of %d%n", round, Bench.ROUNDS);
                for (Application it : APPLICATIONS) {
                    round(load, it);
                }
            }
        }
    }

    /** Each case right after a bare one of its own. */
    private void round(Load load, Application it) throws Exception {
        double beforeFresh = load.fresh(it.bare(), TURN);
        double fresh = load.fresh(it.once(), TURN);
        double beforeDuplicates = load.fresh(it.bare(), TURN);
        double duplicates = load.duplicates(it.once(), TURN);
        numbers.add("requests/s, bare, beside " + it.store(), (beforeFresh + beforeDuplicates) / 2);
        numbers.add("requests/s, fresh keys, " + it.store(), fresh);
        numbers.add("requests/s, duplicates of one key, " + it.store(), duplicates);
        numbers.addRatio("fresh keys to bare, " + it.store(), fresh / beforeFresh);
        numbers.addRatio("duplicates of one key to bare, " + it.store(), duplicates / beforeDuplicates);
    }
}
