package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.Attempt;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.Transport;
import dev.exactlyonce.sender.spi.TransportResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One attempt: whether it may be made, making it, and what becomes of the event. Changes nothing itself; the returned
 * {@link AttemptResult} says what is to be written.
 */
final class AttemptExecutor {
    /** An event whose receiver asks for a longer wait is dead-lettered. */
    static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

    /** A dead letter's {@code notBefore} is no later than this: its replay would wait where no operator sees it. */
    static final Duration LATEST_NOT_BEFORE = Duration.ofHours(24);

    /** While another event probes whether the endpoint is back. */
    static final Duration WHILE_PROBED = Duration.ofSeconds(1);

    static final String CIRCUIT_OPEN = "the circuit is open";

    private final Transport transport;
    private final InstantSource clock;
    private final RandomGenerator random;

    AttemptExecutor(Transport transport, InstantSource clock, RandomGenerator random) {
        this.transport = transport;
        this.clock = clock;
        this.random = random;
    }

    /** @param roundAge how long ago the first attempt of this round was claimed, by clocks that are never set */
    AttemptResult execute(
            Endpoint endpoint,
            EndpointCircuitBreaker circuit,
            boolean isDisabled,
            ClaimedEvent event,
            Supplier<Duration> roundAge) {
        if (isDisabled) {
            return unsent(endpoint, event, "the endpoint is disabled");
        }
        if (event.attempt() > endpoint.mostAttempts()) {
            return unsent(endpoint, event, "the last attempt was interrupted");
        }
        if (isPastDeadline(endpoint, event, roundAge.get())) {
            return unsent(endpoint, event, "deadline");
        }
        EndpointCircuitBreaker.Ask ask = circuit.ask();
        if (ask instanceof EndpointCircuitBreaker.Ask.Open) {
            return unsent(endpoint, event, CIRCUIT_OPEN);
        }
        if (ask instanceof EndpointCircuitBreaker.Ask.Wait) {
            return new AttemptResult.RetryLater(event, Optional.empty(), WHILE_PROBED);
        }
        return attempt(endpoint, ((EndpointCircuitBreaker.Ask.Go) ask).permit(), event, roundAge);
    }

    private AttemptResult attempt(
            Endpoint endpoint, EndpointCircuitBreaker.Permit permit, ClaimedEvent event, Supplier<Duration> roundAge) {
        Instant began;
        Instant ended;
        TransportResult response;
        boolean isHealthy = false;
        try {
            began = clock.instant();
            response = transport.post(
                    endpoint, headers(endpoint, event, began), event.event().body());
            ended = clock.instant();
            isHealthy = ResponseClassifier.isHealthy(response, ended);
        } finally {
            if (isHealthy) {
                permit.succeeded();
            } else {
                permit.failed();
            }
        }
        Attempt made = new Attempt(event.attempt(), began, ResponseClassifier.outcome(response));
        return result(endpoint, event, made, response, ended, roundAge.get());
    }

    private AttemptResult result(
            Endpoint endpoint,
            ClaimedEvent event,
            Attempt made,
            TransportResult response,
            Instant ended,
            Duration roundAge) {
        Optional<Attempt> history = Optional.of(made);
        if (ResponseClassifier.isDelivered(response)) {
            return new AttemptResult.Succeeded(event, history);
        }
        if (endpoint.guarantee() == Endpoint.Guarantee.AT_MOST_ONCE) {
            return new AttemptResult.Abandoned(event, history);
        }
        Duration retryAfter = ResponseClassifier.retryAfter(response, ended);
        boolean isLast = !ResponseClassifier.isRetryable(response, ended) || event.attempt() >= endpoint.mostAttempts();
        if (isLast || retryAfter.compareTo(LONGEST_RETRY_AFTER) > 0) {
            return exhausted(event, made, retryAfter);
        }
        Duration delay = endpoint.budget().delayAfter(event.attempt(), retryAfter, random);
        return isPastDeadline(endpoint, event, roundAge.plus(delay))
                ? exhausted(event, made, retryAfter)
                : new AttemptResult.RetryLater(event, history, delay);
    }

    private AttemptResult exhausted(ClaimedEvent event, Attempt made, Duration retryAfter) {
        Optional<Instant> notBefore = Optional.of(retryAfter)
                .filter(it -> !it.isZero())
                .map(it -> it.compareTo(LATEST_NOT_BEFORE) > 0 ? LATEST_NOT_BEFORE : it)
                .map(it -> clock.instant().plus(it));
        return new AttemptResult.Exhausted(event, Optional.of(made), made.outcome(), notBefore);
    }

    private static AttemptResult unsent(Endpoint endpoint, ClaimedEvent event, String why) {
        return endpoint.guarantee() == Endpoint.Guarantee.AT_MOST_ONCE
                ? new AttemptResult.Abandoned(event, Optional.empty())
                : new AttemptResult.Exhausted(event, Optional.empty(), why, Optional.empty());
    }

    private static boolean isPastDeadline(Endpoint endpoint, ClaimedEvent event, Duration roundAge) {
        return event.attempt() > 1 && roundAge.compareTo(endpoint.budget().deadline()) > 0;
    }

    private static Map<String, List<String>> headers(Endpoint endpoint, ClaimedEvent event, Instant now) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        event.event().headers().forEach((name, value) -> headers.put(name, List.of(value)));
        headers.putAll(endpoint.signedHeaders(event.event().key(), event.event().body(), now));
        return headers;
    }
}
