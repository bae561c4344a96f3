package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.EventKey;
import dev.exactlyonce.sender.OutgoingEvent;
import dev.exactlyonce.sender.http.ApacheTransport;
import dev.exactlyonce.sender.http.Receiver;
import dev.exactlyonce.sender.spi.AttemptResult;
import dev.exactlyonce.sender.spi.ClaimedEvent;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code Retry-After} does to the next attempt. */
@Timeout(60)
class AskedToWaitTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    /** No jitter, and all but the whole of it. */
    private static final RandomGenerator LEAST = () -> 0;

    private static final RandomGenerator MOST = () -> -1;

    private final ApacheTransport transport = new ApacheTransport(Duration.ofSeconds(20), Duration.ofSeconds(40));

    @AfterEach
    void close() {
        transport.close();
    }

    private AttemptResult carry(int attempt, RandomGenerator random, int status, String retryAfter) throws Exception {
        try (Receiver receiver = Receiver.start(Receiver.status(status, "Retry-After: " + retryAfter))) {
            ClaimedEvent event = new ClaimedEvent(
                    1,
                    "owner",
                    new OutgoingEvent("receiver", new EventKey("run:paid:0"), Map.of(), new byte[] {1}),
                    new ClaimedEvent.Round(attempt, NOW, Duration.ZERO));
            return new AttemptExecutor(transport, InstantSource.fixed(NOW), random)
                    .execute(
                            Receiver.endpoint(receiver.at("/")),
                            EndpointCircuitBreaker.NONE,
                            false,
                            event,
                            event::roundAge);
        }
    }

    private static Duration delay(AttemptResult result) {
        assertThat(result).isInstanceOf(AttemptResult.RetryLater.class);
        return ((AttemptResult.RetryLater) result).delay();
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 429, 503})
    void theNextAttemptIsNeverEarlierThanAsked(int status) throws Exception {
        Duration asked = Duration.ofSeconds(60);

        assertThat(delay(carry(1, LEAST, status, "60"))).isEqualTo(asked);
        assertThat(delay(carry(1, MOST, status, "60"))).isGreaterThan(asked).isLessThan(asked.plusSeconds(6));
        assertThat(delay(carry(1, LEAST, status, "Sun, 01 Mar 2026 12:01:00 GMT")))
                .isEqualTo(asked);
    }

    @Test
    void noEventIsRetriedEarlierThanTheBudgetAllows() throws Exception {
        assertThat(delay(carry(3, LEAST, 503, "2"))).isEqualTo(Duration.ofSeconds(30));
        assertThat(delay(carry(3, LEAST, 503, "Sun, 01 Mar 2026 11:00:00 GMT"))).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 500, 502, 504})
    void elsewhereItDoesNotCount(int status) throws Exception {
        assertThat(delay(carry(1, LEAST, status, "60"))).isEqualTo(Duration.ofSeconds(1));
        assertThat(delay(carry(1, LEAST, status, "100000"))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void whatCannotBeReadDoesNotCount() throws Exception {
        assertThat(delay(carry(1, LEAST, 503, "in a minute"))).isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 429, 503})
    void aReceiverThatAsksForALongWaitGetsADeadLetterWithTheTime(int status) throws Exception {
        assertThat(delay(carry(1, LEAST, status, "120"))).isEqualTo(Duration.ofMinutes(2));

        AttemptResult result = carry(1, LEAST, status, "121");

        assertThat(result).isInstanceOf(AttemptResult.Exhausted.class);
        assertThat(((AttemptResult.Exhausted) result).notBefore()).contains(NOW.plusSeconds(121));
        assertThat(((AttemptResult.Exhausted) result).error()).isEqualTo(Integer.toString(status));
    }

    @Test
    void theLastAttemptsDeadLetterSaysWhenToo() throws Exception {
        AttemptResult result = carry(4, LEAST, 503, "60");

        assertThat(result).isInstanceOf(AttemptResult.Exhausted.class);
        assertThat(((AttemptResult.Exhausted) result).notBefore()).contains(NOW.plusSeconds(60));
    }
}
