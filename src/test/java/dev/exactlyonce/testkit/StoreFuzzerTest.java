package dev.exactlyonce.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.exactlyonce.spi.Claim;
import dev.exactlyonce.spi.DeliveryKey;
import dev.exactlyonce.spi.IdempotencyStore;
import dev.exactlyonce.spi.RecordedAnswer;
import dev.exactlyonce.spi.Recording;
import dev.exactlyonce.spi.Renewal;
import dev.exactlyonce.spi.Reservation;
import dev.exactlyonce.spi.StoreUnavailableException;
import dev.exactlyonce.store.memory.MemoryStore;
import dev.exactlyonce.testkit.StoreFuzzer.Plan;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Stores with the faults that others shipped: the fuzzer must find each. */
class StoreFuzzerTest {
    private static final Plan PLAN = new Plan(4, 20, 8_000, Duration.ofMillis(40), Duration.ofMillis(120));

    private final SettableClock clock = new SettableClock();
    private final AtomicInteger calls = new AtomicInteger();

    private class Correct extends DelegatingStore {
        Correct() {
            super(new MemoryStore(MemoryStore.DEFAULT_CAPACITY, clock, evicted -> {}));
        }

        /** One call in forty. */
        boolean goesWrong() {
            return calls.incrementAndGet() % 40 == 0;
        }
    }

    private static Claim withLease(Claim claim, Duration lease) {
        return new Claim(claim.key(), claim.owner(), claim.fingerprint(), lease);
    }

    private void assertFound(IdempotencyStore broken, String fault) {
        assertThatThrownBy(new StoreFuzzer(List.of(broken), clock, PLAN)::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("fuzz.seed=")
                .hasMessageContaining(fault);
    }

    @Test
    void aCorrectStorePasses() throws Exception {
        new StoreFuzzer(List.of(new Correct()), clock, PLAN).run();
    }

    @Test
    void failuresBeforeAndAfterTheFactAreNoFault() throws Exception {
        IdempotencyStore flaky = new Correct() {
            @Override
            public Reservation reserve(Claim claim) {
                if (goesWrong()) {
                    throw new StoreUnavailableException("before");
                }
                Reservation lost = super.reserve(claim);
                if (goesWrong()) {
                    throw new StoreUnavailableException("after");
                }
                return lost;
            }

            @Override
            public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
                Recording lost = super.record(claim, answer, ttl);
                if (goesWrong()) {
                    throw new StoreUnavailableException("after");
                }
                return lost;
            }

            @Override
            public boolean release(Claim claim) {
                boolean lost = super.release(claim);
                if (goesWrong()) {
                    throw new StoreUnavailableException("after");
                }
                return lost;
            }
        };
        AtomicInteger disturbed = new AtomicInteger();
        new StoreFuzzer(List.of(flaky), clock, PLAN) {
            @Override
            protected void disturb(long operation, Random random) {
                disturbed.incrementAndGet();
            }
        }.run();

        assertThat(disturbed).hasValue(PLAN.operations());
    }

    @Test
    void aStoreThatGrantsATakenKeyIsFound() {
        assertFound(
                new Correct() {
                    @Override
                    public Reservation reserve(Claim claim) {
                        Reservation right = super.reserve(claim);
                        return right instanceof Reservation.AlreadyClaimed && goesWrong()
                                ? new Reservation.Granted(1)
                                : right;
                    }
                },
                "two owners");
    }

    @Test
    void aStoreWhoseRenewalStealsIsFound() {
        assertFound(
                new Correct() {
                    @Override
                    public List<Renewal> renewAll(List<Claim> claims) {
                        super.renewAll(claims);
                        return claims.stream().map(any -> Renewal.HELD).toList();
                    }
                },
                "two owners");
    }

    @Test
    void aStoreThatEndsLeasesEarlyIsFound() {
        assertFound(
                new Correct() {
                    @Override
                    public Reservation reserve(Claim claim) {
                        return super.reserve(
                                withLease(claim, claim.lease().dividedBy(4).plusMillis(1)));
                    }
                },
                "two owners");
    }

    @Test
    void aStoreThatForgetsRecordsIsFound() {
        assertFound(
                new Correct() {
                    @Override
                    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
                        if (goesWrong()) {
                            super.release(claim);
                            return new Recording.Written();
                        }
                        return super.record(claim, answer, ttl);
                    }
                },
                "admitted although recorded");
    }

    @Test
    void aStoreThatReleasesForAnybodyIsFound() {
        assertFound(
                new Correct() {
                    private final Map<DeliveryKey, Claim> last = new ConcurrentHashMap<>();

                    @Override
                    public Reservation reserve(Claim claim) {
                        Reservation answer = super.reserve(claim);
                        if (answer instanceof Reservation.Granted) {
                            last.put(claim.key(), claim);
                        }
                        return answer;
                    }

                    @Override
                    public boolean release(Claim claim) {
                        return super.release(last.getOrDefault(claim.key(), claim));
                    }
                },
                "an owner was put out");
    }

    @Test
    void aStoreThatTakesMillisecondsForSecondsIsFound() {
        assertFound(
                new Correct() {
                    @Override
                    public Reservation reserve(Claim claim) {
                        return super.reserve(withLease(claim, claim.lease().multipliedBy(1000)));
                    }
                },
                "no owner can hold the key");
    }

    @Test
    void aStoreThatKeepsRecordsForEverIsFound() {
        assertFound(
                new Correct() {
                    @Override
                    public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
                        return super.record(claim, answer, ttl.multipliedBy(1000));
                    }
                },
                "no owner can have recorded that");
    }

    /** Loses every key now and then, and says so or does not. */
    private final class Forgetful extends StoreFuzzer {
        private final AtomicReference<IdempotencyStore> store;
        private final boolean isTold;

        private Forgetful(AtomicReference<IdempotencyStore> store, boolean isTold) {
            super(List.of(following(store)), clock, PLAN);
            this.store = store;
            this.isTold = isTold;
        }

        @Override
        protected void disturb(long operation, Random random) {
            if (!isTold && operation % 500 == 250) {
                store.set(new Correct());
            }
        }

        @Override
        protected boolean isToLose(long operation) {
            return isTold && operation % 500 == 250;
        }

        @Override
        protected void lose(Random random) {
            store.set(new Correct());
        }
    }

    private static IdempotencyStore following(AtomicReference<IdempotencyStore> store) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                StoreFuzzerTest.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (proxy, method, arguments) -> method.invoke(store.get(), arguments));
    }

    @Test
    void whatIsLostWhenTheFuzzerSaysSoIsNoFaultAndWhatIsLostOtherwiseIs() throws Exception {
        new Forgetful(new AtomicReference<>(new Correct()), true).run();

        assertThatThrownBy(new Forgetful(new AtomicReference<>(new Correct()), false)::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("admitted although recorded");
    }

    @Test
    void aFaultBetweenTwoLossesIsFound() {
        IdempotencyStore forgetting = new Correct() {
            @Override
            public Recording record(Claim claim, RecordedAnswer answer, Duration ttl) {
                if (goesWrong()) {
                    super.release(claim);
                    return new Recording.Written();
                }
                return super.record(claim, answer, ttl);
            }
        };
        assertThatThrownBy(new StoreFuzzer(List.of(forgetting), clock, PLAN) {
                    @Override
                    protected boolean isToLose(long operation) {
                        return operation % 1_000 == 500;
                    }
                }::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("admitted although recorded");
    }
}
