package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.CircuitState;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Opens as the endpoint's {@link BreakerPolicy} says, and lets one attempt probe after five minutes. A permit that was given
 * in an earlier state does not count in a later one, and a probe that never returns is replaced by another. Thread-safe.
 */
final class PolicyCircuitBreaker implements EndpointCircuitBreaker {
    private static final int FAILURES_IN_A_ROW = 10;
    private static final long OPEN_NANOS = Duration.ofMinutes(5).toNanos();
    private static final int DEAD_LETTERS_A_SECOND = 10;
    private static final int SECONDS_OF_DEAD_LETTERS = 60;

    /** Longer than an attempt takes: a probe that has not returned by then never will. */
    private static final long LONGEST_PROBE_NANOS =
            Endpoint.ANSWER_WITHIN.multipliedBy(3).toNanos();

    private final boolean countsFailures;
    private final Consumer<CircuitState> onChange;
    private final LongSupplier nanoTime;
    private final long madeAt;
    private final SlidingWindowCounter deadLetters = new SlidingWindowCounter(SECONDS_OF_DEAD_LETTERS);
    private CircuitState state = CircuitState.CLOSED;
    private int failures;
    private boolean isProbing;
    private long since;

    /** Counts the changes, so that a permit knows whether it is of this state. */
    private int generation;

    private PolicyCircuitBreaker(BreakerPolicy policy, Consumer<CircuitState> onChange, LongSupplier nanoTime) {
        this.countsFailures = policy == BreakerPolicy.FAILURES;
        this.onChange = onChange;
        this.nanoTime = nanoTime;
        this.madeAt = nanoTime.getAsLong();
    }

    /** Makes circuit breakers as their endpoints' policies say. */
    static EndpointCircuitBreaker.Factory factory(LongSupplier nanoTime) {
        return (endpoint, onChange) -> endpoint.breaker() == BreakerPolicy.NONE
                ? EndpointCircuitBreaker.NONE
                : new PolicyCircuitBreaker(endpoint.breaker(), onChange, nanoTime);
    }

    @Override
    public synchronized CircuitState state() {
        return state;
    }

    @Override
    public Ask ask() {
        return changing(() -> {
            long past = nanoTime.getAsLong() - since;
            boolean isOpenLongEnough = state == CircuitState.OPEN && past >= OPEN_NANOS;
            boolean isProbeLost = state == CircuitState.HALF_OPEN && past >= LONGEST_PROBE_NANOS;
            if (isOpenLongEnough || isProbeLost) {
                become(CircuitState.HALF_OPEN); // the time of a probe counts from now, whether or not anything is due
            }
            if (state == CircuitState.OPEN) {
                return new Ask.Open();
            }
            if (state == CircuitState.HALF_OPEN) {
                if (isProbing) {
                    return new Ask.Wait();
                }
                isProbing = true;
            }
            return new Ask.Go(new CountedPermit(generation));
        });
    }

    @Override
    public void deadLettered() {
        if (countsFailures) {
            return;
        }
        changing(() -> {
            long second = Duration.ofNanos(nanoTime.getAsLong() - madeAt).toSeconds();
            int count = deadLetters.add(second);
            if (state == CircuitState.CLOSED && count > DEAD_LETTERS_A_SECOND * SECONDS_OF_DEAD_LETTERS) {
                become(CircuitState.OPEN);
            }
            return true;
        });
    }

    private void count(boolean succeeded) {
        if (state == CircuitState.HALF_OPEN) {
            become(succeeded ? CircuitState.CLOSED : CircuitState.OPEN);
        } else if (countsFailures) {
            failures = succeeded ? 0 : failures + 1;
            if (failures >= FAILURES_IN_A_ROW) {
                become(CircuitState.OPEN);
            }
        }
    }

    private void become(CircuitState next) {
        state = next;
        since = nanoTime.getAsLong();
        generation++;
        failures = 0;
        isProbing = false;
        if (next == CircuitState.OPEN) {
            deadLetters.clear();
        }
    }

    /** Reports a change outside the lock: a listener may take its time. */
    private <T> T changing(Supplier<T> step) {
        CircuitState before;
        CircuitState after;
        T result;
        synchronized (this) {
            before = state;
            result = step.get();
            after = state;
        }
        if (before != after) {
            onChange.accept(after);
        }
        return result;
    }

    private final class CountedPermit implements Permit {
        private final int ofGeneration;

        private CountedPermit(int ofGeneration) {
            this.ofGeneration = ofGeneration;
        }

        @Override
        public void succeeded() {
            end(true);
        }

        @Override
        public void failed() {
            end(false);
        }

        private void end(boolean succeeded) {
            changing(() -> {
                if (ofGeneration == generation) {
                    count(succeeded);
                }
                return true;
            });
        }
    }
}
