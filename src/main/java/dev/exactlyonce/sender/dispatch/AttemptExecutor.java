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
 * The story of one attempt: whether it may be made, making it, and what becomes of the event. Changes nothing itself; the
 * {@link AttemptResult} says what is to be written down.
 */
final class AttemptExecutor {
    /** A receiver that wants to be asked later than this gets its event from the dead-letter queue. */
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

    /** What came of it, and whether the endpoint said that it is gone. */
    record Executed(AttemptResult settlement, boolean isGone) {
        static Executed of(AttemptResult settlement) {
            return new Executed(settlement, false);
        }
    }

    /** @param roundAge how long ago the first attempt of this round was claimed, by clocks that nobody sets */
    Executed carry(
            Endpoint endpoint,
            EndpointCircuitBreaker circuit,
            boolean isDisabled,
            ClaimedEvent event,
            Supplier<Duration> roundAge) {
        if (isDisabled) {
            return Executed.of(unsent(endpoint, event, "the endpoint is disabled"));
        }
        if (event.attempt() > endpoint.mostAttempts()) {
            return Executed.of(unsent(endpoint, event, "the last attempt was interrupted"));
        }
        if (isPastDeadline(endpoint, event, roundAge.get())) {
            return Executed.of(unsent(endpoint, event, "deadline"));
        }
        EndpointCircuitBreaker.Ask ask = circuit.ask();
        if (ask instanceof EndpointCircuitBreaker.Ask.Open) {
            return Executed.of(unsent(endpoint, event, CIRCUIT_OPEN));
        }
        if (ask instanceof EndpointCircuitBreaker.Ask.Wait) {
            return Executed.of(new AttemptResult.RetryLater(event, Optional.empty(), WHILE_PROBED));
        }
        return attempt(endpoint, ((EndpointCircuitBreaker.Ask.Go) ask).permit(), event, roundAge);
    }

    private Executed attempt(
            Endpoint endpoint, EndpointCircuitBreaker.Permit permit, ClaimedEvent event, Supplier<Duration> roundAge) {
        Instant began;
        ResponseClassifier verdict = null;
        try {
            began = clock.instant();
            TransportResult answer = transport.post(
                    endpoint, headers(endpoint, event, began), event.event().body());
            verdict = ResponseClassifier.of(answer, clock.instant());
        } finally {
            if (verdict != null && verdict.isOfALivingEndpoint()) {
                permit.succeeded();
            } else {
                permit.failed();
            }
        }
        Attempt made = new Attempt(event.attempt(), began, verdict.word());
        return new Executed(
                settle(endpoint, event, made, verdict, roundAge.get()),
                verdict.kind() == ResponseClassifier.ResponseKind.GONE);
    }

    private AttemptResult settle(
            Endpoint endpoint, ClaimedEvent event, Attempt made, ResponseClassifier verdict, Duration roundAge) {
        Optional<Attempt> history = Optional.of(made);
        if (verdict.kind() == ResponseClassifier.ResponseKind.DELIVERED) {
            return new AttemptResult.Succeeded(event, history);
        }
        if (endpoint.guarantee() == Endpoint.Guarantee.AT_MOST_ONCE) {
            return new AttemptResult.Abandoned(event, history);
        }
        boolean isLast =
                verdict.kind() != ResponseClassifier.ResponseKind.AGAIN || event.attempt() >= endpoint.mostAttempts();
        if (isLast || verdict.retryAfter().compareTo(LONGEST_RETRY_AFTER) > 0) {
            return dead(event, history, verdict);
        }
        Duration delay = endpoint.budget().delayAfter(event.attempt(), verdict.retryAfter(), random);
        return isPastDeadline(endpoint, event, roundAge.plus(delay))
                ? dead(event, history, verdict)
                : new AttemptResult.RetryLater(event, history, delay);
    }

    private AttemptResult dead(ClaimedEvent event, Optional<Attempt> made, ResponseClassifier verdict) {
        Optional<Instant> notBefore = Optional.of(verdict.retryAfter())
                .filter(it -> !it.isZero())
                .map(it -> it.compareTo(LATEST_NOT_BEFORE) > 0 ? LATEST_NOT_BEFORE : it)
                .map(it -> clock.instant().plus(it));
        return new AttemptResult.Exhausted(event, made, verdict.word(), notBefore);
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
