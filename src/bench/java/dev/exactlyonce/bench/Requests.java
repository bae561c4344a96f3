package dev.exactlyonce.bench;

import dev.exactlyonce.it.Wars;
import dev.exactlyonce.store.redis.RedisProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * An annotated endpoint beside the same one bare, on one warm server: one application a store, all with the same load,
 * in turn.
 */
final class Requests {
    private static final Duration WARM_UP = Duration.ofSeconds(Integer.getInteger("bench.warm-up", 20));
    private static final Duration TURN = Duration.ofSeconds(Integer.getInteger("bench.turn", 3));

    /** Before each turn, not counted: Open Liberty takes seconds until it has as many threads as a new load wants. */
    private static final Duration LEAD = Duration.ofSeconds(Integer.getInteger("bench.lead", 8));

    /** An application on the server: its name is its context root. */
    private record Application(String store, WebArchive war) {
        static Application of(String store, String... configuration) {
            WebArchive war = Wars.of(store, Hook.App.class, Hook.Bare.class, Hook.Once.class);
            return new Application(store, Wars.configured(war, configuration));
        }

        String bare() {
            return "/" + store + "/bare";
        }

        String once() {
            return "/" + store + "/once";
        }
    }

    /** The memory store costs next to nothing: beside it, what the module itself costs shows. */
    private static List<Application> applications(RedisProcess redis) {
        Application overRedis = Application.of(
                "redis",
                "exactlyonce.store=redis",
                "exactlyonce.redis.port=" + redis.port(),
                "exactlyonce.redis.timeout=PT5S"); // three applications start at once
        return List.of(
                new Application(overRedis.store(), Wars.withRedis(overRedis.war())),
                Application.of("sqlite", "exactlyonce.store=sqlite"),
                Application.of("memory", "exactlyonce.store=memory"));
    }

    private final Numbers numbers;

    Requests(Numbers numbers) {
        this.numbers = numbers;
    }

    void run() throws Exception {
        Path home = Path.of(System.getProperty("liberty.home"));
        int port = Integer.getInteger("bench.http.port");
        try (RedisProcess redis = RedisProcess.start()) {
            run(home, port, applications(redis));
        }
    }

    private void run(Path home, int port, List<Application> applications) throws Exception {
        List<WebArchive> wars = applications.stream().map(Application::war).toList();
        try (BenchServer server = BenchServer.start(home, wars);
                Load load = new Load(port)) {
            server.await(port, applications.stream().map(Application::bare).toList());
            System.out.println("requests, warming up");
            for (Application it : applications) {
                load.fresh(it.bare(), WARM_UP);
                load.fresh(it.once(), WARM_UP);
                load.duplicates(it.once(), WARM_UP);
            }
            server.requireNoFallback();
            for (int round = 1; round <= Bench.ROUNDS; round++) {
                System.out.printf("requests, round %d of %d%n", round, Bench.ROUNDS);
                for (Application it : applications) {
                    round(load, it);
                }
            }
        }
    }

    /** Each case right after a bare one of its own. */
    private void round(Load load, Application it) throws Exception {
        double beforeFresh = fresh(load, it.bare());
        double fresh = fresh(load, it.once());
        double beforeDuplicates = fresh(load, it.bare());
        load.duplicates(it.once(), LEAD);
        double duplicates = load.duplicates(it.once(), TURN);
        numbers.add("requests/s, bare, beside " + it.store(), (beforeFresh + beforeDuplicates) / 2);
        numbers.add("requests/s, fresh keys, " + it.store(), fresh);
        numbers.add("requests/s, duplicates of one key, " + it.store(), duplicates);
        numbers.addRatio("fresh keys to bare, " + it.store(), fresh / beforeFresh);
        numbers.addRatio("duplicates of one key to bare, " + it.store(), duplicates / beforeDuplicates);
    }

    private static double fresh(Load load, String path) throws Exception {
        load.fresh(path, LEAD);
        return load.fresh(path, TURN);
    }
}
