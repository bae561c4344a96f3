package dev.exactlyonce.turn.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.exactlyonce.Turn;
import dev.exactlyonce.store.redis.DocumentedAcl;
import dev.exactlyonce.store.redis.RedisProcess;
import dev.exactlyonce.turn.LocalTurns;
import dev.exactlyonce.turn.SessionKey;
import dev.exactlyonce.turn.TurnLocks;
import dev.exactlyonce.turn.TurnOutage;
import dev.exactlyonce.turn.TurnRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two replicas on one Redis, whose user may do what doc/redis.md says, and nothing else. */
class TurnsOfTwoReplicasTest {
    private static final int THREADS = 8;
    private static final int TURNS = 50;
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final Pattern CALLS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

    private static RedisProcess redis;

    private final ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
    private TurnLocks a;
    private TurnLocks b;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start(DocumentedAcl.line("the turn lock ([turns.md](turns.md))"));
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void openReplicas() {
        a = replica();
        b = replica();
    }

    private static TurnLocks replica() {
        RedisTurns turns = new RedisTurns(DocumentedAcl.settings(redis.settings(Duration.ofSeconds(10))));
        await().until(turns::hearsOffers);
        return new TurnLocks(
                new LocalTurns(InstantSource.system(), System::nanoTime),
                Optional.of(turns),
                new TurnOutage("turn_lock:redis", "check Redis", InstantSource.system(), event -> {}),
                new TurnLocks.TurnLimits(Duration.ofMinutes(1), PATIENT, Duration.ofHours(1), false),
                System::nanoTime,
                Runnable::run);
    }

    @AfterEach
    void closeReplicas() {
        threads.shutdownNow();
        a.close();
        b.close();
    }

    private List<Future<?>> onBoth(Callable<?> ofA, Callable<?> ofB) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(ofA));
            running.add(threads.submit(ofB));
        }
        return running;
    }

    private static long scriptsRun() {
        return CALLS.matcher(redis.command("INFO", "commandstats"))
                .results()
                .mapToLong(it -> Long.parseLong(it.group(1)))
                .sum();
    }

    @Test
    void neverTwoHoldTheSessionAndTheirFencesGrow() throws Exception {
        AtomicInteger holders = new AtomicInteger();
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        List<Long> fences = Collections.synchronizedList(new ArrayList<>());
        long before = scriptsRun();
        List<Future<?>> running = onBoth(work(a, holders, seen, fences), work(b, holders, seen, fences));
        for (Future<?> one : running) {
            one.get();
        }
        assertThat(seen).hasSize(2 * THREADS * TURNS).containsOnly(1);
        assertThat(fences).isSorted().doesNotHaveDuplicates();
        assertThat(scriptsRun() - before)
                .as("calls of the store for %s turns that waited", fences.size())
                .isLessThanOrEqualTo(3L * fences.size());
    }

    private static Callable<Void> work(TurnLocks turns, AtomicInteger holders, List<Integer> seen, List<Long> fences) {
        return () -> {
            for (int i = 0; i < TURNS; i++) {
                try (Turn turn = turns.take("session:one")) {
                    seen.add(holders.incrementAndGet());
                    fences.add(turn.fence());
                    holders.decrementAndGet();
                }
            }
            return null;
        };
    }

    @Test
    void thoseThatWaitAreServedInTheOrderOfTheirArrivalOverBoth() throws Exception {
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        Turn holder = a.take("session:order");
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 2 * THREADS; i++) {
            int number = i;
            TurnLocks replica = i % 3 == 0 ? a : b;
            waiting.add(threads.submit(() -> {
                try (Turn turn = replica.take("session:order")) {
                    served.add(number);
                }
            }));
            await().until(() -> waitingFor("session:order") == number + 1);
        }
        holder.close();
        for (Future<?> one : waiting) {
            one.get();
        }
        assertThat(served).hasSize(2 * THREADS).isSorted();
    }

    private static long waitingFor(String session) {
        return Long.parseLong(
                redis.command("ZCARD", "exactlyonce:turnlock-queue:{exactlyonce:turnlock:" + session + "}"));
    }

    @Test
    void anOfferToAReplicaThatDiedPassesToTheNext() throws Exception {
        Turn holder = b.take("session:dead");
        try (RedisTurns dead = new RedisTurns(DocumentedAcl.settings(redis.settings(PATIENT)))) {
            dead.take(new TurnRequest(SessionKey.of("session:dead"), "token", Duration.ofMinutes(1), PATIENT));
        }
        Future<Boolean> next = threads.submit(() -> {
            try (Turn turn = b.take("session:dead")) {
                return turn.stillHeld();
            }
        });
        await().until(() -> waitingFor("session:dead") == 2);
        holder.close();
        assertThat(next.get()).isTrue();
    }

    @Test
    void aUserWithoutTheChannelStillGetsItsTurns() throws Exception {
        try (RedisProcess mute = RedisProcess.start("user shop on >a-long-password ~* +@all -subscribe resetchannels");
                RedisTurns turns = new RedisTurns(DocumentedAcl.settings(mute.settings(Duration.ofSeconds(10))));
                TurnLocks locks = new TurnLocks(
                        new LocalTurns(InstantSource.system(), System::nanoTime),
                        Optional.of(turns),
                        new TurnOutage("turn_lock:redis", "check Redis", InstantSource.system(), event -> {}),
                        new TurnLocks.TurnLimits(Duration.ofMinutes(1), PATIENT, Duration.ofHours(1), false),
                        System::nanoTime,
                        Runnable::run)) {
            Turn holder = locks.take("session:mute");
            Future<Boolean> next = threads.submit(() -> {
                try (Turn turn = locks.take("session:mute")) {
                    return turn.stillHeld();
                }
            });
            await().until(() ->
                    !mute.command("KEYS", "exactlyonce:turnlock-queue:*").isEmpty());
            holder.close();
            assertThat(next.get()).isTrue();
        }
    }
}
