package dev.exactlyonce.sender;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How often and when a failed event is attempted again.
 *
 * <pre>{@code
 * new RetryBudget(List.of(Duration.ofSeconds(1), Duration.ofMinutes(1)), 0.1, Duration.ofMinutes(10)); // three attempts
 * }</pre>
 *
 * @param delays before the second attempt, the third and so on, each 0 to 24 h, at most 20; none: one attempt
 * @param jitter by which share of it a delay may be longer, 0 to 1; a delay is never shorter
 * @param deadline since the first attempt of this round: an attempt that would begin later is not made; 1 s to 30 days
 * @since 0.1.0
 */
public record RetryBudget(List<Duration> delays, double jitter, Duration deadline) {
    private static final Duration LONGEST_DELAY = Duration.ofHours(24);
    private static final Duration LONGEST_DEADLINE = Duration.ofDays(30);

    /** 1 s, 5 s, 30 s; at most a tenth longer; 10 minutes. */
    public static final RetryBudget DEFAULT = new RetryBudget(
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30)), 0.1, Duration.ofMinutes(10));

    public RetryBudget {
        delays = List.copyOf(delays);
        if (delays.size() > 20 || delays.stream().anyMatch(it -> it.isNegative() || it.compareTo(LONGEST_DELAY) > 0)) {
            throw new IllegalArgumentException("delays are at most 20, each PT0S to PT24H");
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter is 0 to 1, was " + jitter);
        }
        if (deadline.compareTo(Duration.ofSeconds(1)) < 0 || deadline.compareTo(LONGEST_DEADLINE) > 0) {
            throw new IllegalArgumentException("deadline is PT1S to P30D, was " + deadline);
        }
    }

    /**
     * How long to wait after this attempt.
     *
     * @param attempt 1 for the first, and not the last
     * @param atLeast what the receiver asked for
     */
    public Duration delayAfter(int attempt, Duration atLeast, RandomGenerator random) {
        Duration delay = delays.get(attempt - 1);
        Duration longer = delay.compareTo(atLeast) < 0 ? atLeast : delay;
        return longer.plusMillis((long) (longer.toMillis() * jitter * random.nextDouble()));
    }
}
