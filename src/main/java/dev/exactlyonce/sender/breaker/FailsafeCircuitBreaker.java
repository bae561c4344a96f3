package dev.exactlyonce.sender.breaker;

import dev.exactlyonce.sender.CircuitState;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.failsafe.CircuitBreaker;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Failsafe counts and keeps the state; the time comes from outside, so that a test can set it. Two things are added: what a
 * permit of an earlier state comes to is not counted in a later one, and a probe that never comes back gives way to another.
 * Thread-safe.
 */
public final class FailsafeCircuitBreaker implements EndpointCircuitBreaker {
    private static final int FAILURES_IN_A_ROW = 10;
    private static final long OPEN_NANOS = Duration.ofMinutes(5).toNanos();
    private static final int DEAD_LETTERS_A_SECOND = 10;
    private static final int SECONDS_OF_DEAD_LETTERS = 60;

    /** Longer than an attempt takes: whoever had this probe will not tell of it any more. */
    private static final Duration LONGEST_PROBE = Endpoint.ANSWER_WITHIN.multipliedBy(3);

    private final boolean countsFailures;
    private final Consumer<CircuitState> onChange;
    private final LongSupplier nanoTime;
    private final CircuitBreaker<Object> breaker;
    private final SlidingWindowCounter deadLetters;
    private final long madeAt;
    private long since;
    private int generation;

    private FailsafeCircuitBreaker(BreakerPolicy policy, Consumer<CircuitState> onChange, LongSupplier nanoTime) {
        this.countsFailures = policy == BreakerPolicy.FAILURES;
        this.onChange = onChange;
        this.nanoTime = nanoTime;
        this.madeAt = nanoTime.getAsLong();
        this.deadLetters = new SlidingWindowCounter(SECONDS_OF_DEAD_LETTERS);
        this.breaker = CircuitBreaker.builder()
                .withFailureThreshold(FAILURES_IN_A_ROW)
                .withSuccessThreshold(1) // and so one permit while it is half-open
                .withDelay(Duration.ofDays(36_500)) // ours ends it
                .build();
    }

    /** Makes circuits as their endpoints' policies say. */
    public static EndpointCircuitBreaker.Factory maker(LongSupplier nanoTime) {
        return (endpoint, onChange) -> endpoint.breaker() == BreakerPolicy.NONE
                ? EndpointCircuitBreaker.NONE
                : new FailsafeCircuitBreaker(endpoint.breaker(), onChange, nanoTime);
    }

    @Override
    public synchronized CircuitState state() {
        return switch (breaker.getState()) {
            case CLOSED -> CircuitState.CLOSED;
            case OPEN -> CircuitState.OPEN;
            case HALF_OPEN -> CircuitState.HALF_OPEN;
        };
    }

    @Override
    public Ask ask() {
        return changing(() -> {
            if (breaker.isOpen() && nanoTime.getAsLong() - since >= OPEN_NANOS) {
                halfOpen();
            }
            if (breaker.isHalfOpen() && nanoTime.getAsLong() - since >= LONGEST_PROBE.toNanos()) {
                breaker.open(); // takes the permit back that was never given back
                halfOpen();
            }
            if (breaker.isOpen()) {
                return new Ask.Open();
            }
            return breaker.tryAcquirePermit() ? new Ask.Go(new CountedPermit(generation)) : new Ask.Wait();
        });
    }

    /** The time of a probe counts from when one may be made, whether or not anything is due then. */
    private void halfOpen() {
        breaker.halfOpen();
        since = nanoTime.getAsLong();
        generation++;
    }

    @Override
    public void deadLettered() {
        if (countsFailures) {
            return;
        }
        changing(() -> {
            long second = Duration.ofNanos(nanoTime.getAsLong() - madeAt).toSeconds();
            if (deadLetters.add(second) > DEAD_LETTERS_A_SECOND * SECONDS_OF_DEAD_LETTERS && breaker.isClosed()) {
                open();
            }
            return true;
        });
    }

    private void open() {
        breaker.open();
        opened();
    }

    private void opened() {
        since = nanoTime.getAsLong();
        generation++;
        deadLetters.clear();
    }

    private void record(int ofGeneration, boolean succeeded) {
        changing(() -> {
            boolean counts = ofGeneration == generation && (countsFailures || breaker.isHalfOpen());
            if (counts && succeeded) {
                boolean wasClosed = breaker.isClosed();
                breaker.recordSuccess();
                generation += wasClosed ? 0 : 1;
            } else if (counts) {
                breaker.recordFailure();
                if (breaker.isOpen()) {
                    opened();
                }
            }
            return true;
        });
    }

    private interface Step<T> {
        T take();
    }

    /** Tells of a change outside the lock: a listener may take its time. */
    private <T> T changing(Step<T> step) {
        CircuitState before;
        CircuitState after;
        T result;
        synchronized (this) {
            before = state();
            result = step.take();
            after = state();
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
            record(ofGeneration, true);
        }

        @Override
        public void failed() {
            record(ofGeneration, false);
        }
    }
}
