package dev.exactlyonce.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.Fingerprint;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.testkit.StoreJudge.Answer;
import dev.exactlyonce.testkit.StoreJudge.Kind;
import dev.exactlyonce.testkit.StoreJudge.Operation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;

/**
 * Does random things to a store from many threads and has {@link StoreJudge} look at what it answered. Claims are
 * repeated, recorded late, released twice, renewed by anyone, and forgotten as by a crash.
 *
 * <p>The seed is printed and part of a failure; {@code -Dfuzz.seed=…} takes it again. It fixes what each thread does, not
 * how the threads interleave.
 */
public class StoreFuzzer {
    /** How much is done, and how long what is claimed and recorded lasts at most. */
    public record Plan(int threads, int keys, int operations, Duration longestLease, Duration longestTtl) {
        /** How many times as long as in a daily build; the profile {@code soak} sets it. */
        private static final int FACTOR = Integer.getInteger("fuzz.factor", 1);

        public static final Plan SHORT = plan(40, 20_000);

        public static Plan plan(int keys, int operations) {
            return new Plan(8, keys, operations * FACTOR, Duration.ofMillis(40), Duration.ofMillis(120));
        }
    }

    private static final int CLAIMS_AT_HAND = 3;

    private final List<? extends IdempotencyStore> stores;
    private final InstantSource clock;
    private final Plan plan;
    private final long seed = Long.getLong("fuzz.seed", System.nanoTime());

    /**
     * Operations run under the read lock and the clock moves under the write lock, so that with a settable clock an
     * operation happens at one instant. Without this the judge would have to allow for every instant between.
     */
    private final ReentrantReadWriteLock moment = new ReentrantReadWriteLock();

    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    private final List<ConcurrentLinkedQueue<Operation>> history;
    private final List<AtomicReferenceArray<Claim>> atHand;
    private final ConcurrentLinkedQueue<Long> losses = new ConcurrentLinkedQueue<>();

    /**
     * @param stores one for each replica; they share what they keep
     * @param clock the clock of the stores
     */
    public StoreFuzzer(List<? extends IdempotencyStore> stores, InstantSource clock, Plan plan) {
        this.stores = stores;
        this.clock = clock;
        this.plan = plan;
        this.history = IntStream.range(0, plan.keys())
                .mapToObj(key -> new ConcurrentLinkedQueue<Operation>())
                .toList();
        this.atHand = IntStream.range(0, plan.keys())
                .mapToObj(key -> new AtomicReferenceArray<Claim>(CLAIMS_AT_HAND))
                .toList();
    }

    /** Lets time pass; no operation runs meanwhile. To be overridden where the store has its own clock. */
    protected void letPass(Duration time) {
        ((SettableClock) clock).advance(time);
    }

    /** The part of the key with this number: what an earlier fuzzer left in the store is under other names. */
    protected String name(int key) {
        return "k" + key;
    }

    /** How much later than the clock says something may still be there, where the store keeps time by itself. */
    protected Duration blur() {
        return Duration.ZERO;
    }

    /** Called before each operation, by its thread and without a lock: the place to break and mend the store. */
    protected void disturb(long operation, Random random) throws Exception {}

    /** Whether {@link #lose} comes before this operation. */
    protected boolean isToLose(long operation) {
        return false;
    }

    /** Makes the stores lose any of their keys, and returns once they work again; no operation runs meanwhile. */
    protected void lose(Random random) throws Exception {}

    /** Runs the plan and fails with the seed when an answer cannot be right. */
    public final void run() throws Exception {
        System.out.println("fuzz.seed=" + seed);
        Together.run(plan.threads(), thread -> {
            fuzz(stores.get(thread % stores.size()), new Random(seed + thread));
            return thread;
        });
        List<String> wrong = history.stream()
                .flatMap(ofOneKey -> StoreJudge.judge(List.copyOf(ofOneKey), List.copyOf(losses)).stream())
                .toList();
        assertThat(wrong).as("fuzz.seed=%d: answers that cannot be right", seed).isEmpty();
    }

    /** How many operations were answered, without a failure. */
    public final long answered() {
        return history.stream()
                .flatMap(ConcurrentLinkedQueue::stream)
                .filter(operation -> operation.answer() != Answer.UNAVAILABLE)
                .count();
    }

    private void fuzz(IdempotencyStore store, Random random) {
        for (long number = begun.getAndIncrement(); number < plan.operations(); number = begun.getAndIncrement()) {
            try {
                disturb(number, random);
                if (isToLose(number)) {
                    loseAlone(random);
                }
            } catch (Exception e) {
                throw new IllegalStateException("the disturbance itself failed", e);
            }
            if (random.nextInt(20) == 0) {
                moment.writeLock().lock();
                try {
                    letPass(upTo(plan.longestLease().dividedBy(4), random));
                } finally {
                    moment.writeLock().unlock();
                }
            }
            int key = random.nextInt(plan.keys());
            moment.readLock().lock();
            try {
                history.get(key).add(act(store, key, random));
            } finally {
                moment.readLock().unlock();
            }
        }
    }

    private void loseAlone(Random random) throws Exception {
        moment.writeLock().lock();
        try {
            lose(random);
            losses.add(sequence.getAndIncrement());
        } finally {
            moment.writeLock().unlock();
        }
    }

    private Operation act(IdempotencyStore store, int key, Random random) {
        Claim known = atHand.get(key).get(random.nextInt(CLAIMS_AT_HAND));
        int choice = random.nextInt(100);
        if (known == null || choice < 45) {
            Claim fresh = Claim.fresh(
                    DeliveryKey.of("fuzz", "POST /", List.of(name(key))),
                    Fingerprint.NONE,
                    upTo(plan.longestLease(), random));
            atHand.get(key).set(random.nextInt(CLAIMS_AT_HAND), fresh);
            return call(store, Kind.RESERVE, fresh, 0, fresh.lease());
        }
        if (choice < 55) {
            return call(store, Kind.RESERVE, known, 0, known.lease());
        }
        if (choice < 75) {
            return call(store, Kind.RECORD, known, 200 + random.nextInt(100), upTo(plan.longestTtl(), random));
        }
        return choice < 88
                ? call(store, Kind.RELEASE, known, 0, Duration.ZERO)
                : call(store, Kind.RENEW, known, 0, known.lease());
    }

    private Operation call(IdempotencyStore store, Kind kind, Claim claim, int status, Duration lasts) {
        long from = clock.millis();
        long invoked = sequence.getAndIncrement();
        Answer answer = Answer.UNAVAILABLE;
        int answered = status;
        try {
            switch (kind) {
                case RESERVE -> {
                    Reservation said = store.reserve(claim);
                    answer = said.fold(granted -> Answer.DONE, inFlight -> Answer.IN_FLIGHT, done -> Answer.RECORDED);
                    answered = said instanceof Reservation.AlreadyRecorded recorded
                            ? recorded.answer().status()
                            : 0;
                }
                case RECORD ->
                    answer = store.record(claim, RecordedAnswer.of(status), lasts)
                            .fold(
                                    written -> Answer.DONE,
                                    pending -> {
                                        throw new IllegalStateException("a store itself never answers Pending");
                                    },
                                    by -> by.running() ? Answer.IN_FLIGHT : Answer.TAKEN);
                case RELEASE -> answer = store.release(claim) ? Answer.DONE : Answer.NOTHING;
                case RENEW -> answer = store.renew(claim) == Renewal.HELD ? Answer.DONE : Answer.TAKEN;
            }
        } catch (StoreUnavailableException mayHaveHappened) {
            return new Operation(
                    kind,
                    claim.owner(),
                    answered,
                    lasts.toMillis(),
                    answer,
                    invoked,
                    Operation.NEVER,
                    from,
                    Operation.NEVER);
        }
        long returned = sequence.getAndIncrement();
        long to = clock.millis() + blur().toMillis();
        return new Operation(kind, claim.owner(), answered, lasts.toMillis(), answer, invoked, returned, from, to);
    }

    private static Duration upTo(Duration most, Random random) {
        return Duration.ofMillis(1 + random.nextInt((int) most.toMillis()));
    }
}
