package dev.exactlyonce.sender.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.sender.CircuitState;
import dev.exactlyonce.sender.Endpoint;
import dev.exactlyonce.sender.Endpoint.BreakerPolicy;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker;
import dev.exactlyonce.sender.spi.EndpointCircuitBreaker.Ask;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyCircuitBreakerTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it may wrap around
    private final List<CircuitState> changes = new ArrayList<>();

    private EndpointCircuitBreaker circuit(BreakerPolicy policy) {
        Endpoint endpoint = Endpoint.builder("crm", URI.create("https://crm.example/hook"))
                .secret("a-secret-of-16-chars")
                .breaker(policy)
                .maxBodySize(1000)
                .concurrency(1)
                .build();
        return PolicyCircuitBreaker.factory(nanos::get).of(endpoint, changes::add);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static EndpointCircuitBreaker.Permit permit(EndpointCircuitBreaker circuit) {
        return ((Ask.Go) circuit.ask()).permit();
    }

    private static void fail(EndpointCircuitBreaker circuit, int times) {
        for (int i = 0; i < times; i++) {
            permit(circuit).failed();
        }
    }

    private static void deadLetter(EndpointCircuitBreaker circuit, int times) {
        for (int i = 0; i < times; i++) {
            circuit.deadLettered();
        }
    }

    @ParameterizedTest(name = "{0} after {1} failures and {2} dead letters within a second: {3}")
    @CsvSource({
        "FAILURES,  9,    0, CLOSED",
        "FAILURES, 10,    0, OPEN",
        "FAILURES,  0, 5000, CLOSED",
        "DLQ_RATE, 50,  600, CLOSED",
        "DLQ_RATE,  0,  601, OPEN",
        "NONE,     50, 5000, CLOSED"
    })
    void opensAsItsPolicySays(BreakerPolicy policy, int failures, int deadLetters, CircuitState expected) {
        EndpointCircuitBreaker circuit = circuit(policy);

        fail(circuit, failures);
        deadLetter(circuit, deadLetters);

        assertThat(circuit.state()).isEqualTo(expected);
    }

    @Test
    void aSuccessBetweenThemMakesFailuresCountAnew() {
        EndpointCircuitBreaker circuit = circuit(BreakerPolicy.FAILURES);
        fail(circuit, 9);
        permit(circuit).succeeded();
        fail(circuit, 9);

        assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void tenDeadLettersASecondForHoursAreNoMoreThanAllowed() {
        EndpointCircuitBreaker circuit = circuit(BreakerPolicy.DLQ_RATE);
        for (int second = 0; second < 7200; second++) {
            deadLetter(circuit, 10);
            pass(Duration.ofSeconds(1));
        }
        assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);

        deadLetter(circuit, 11);
        assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void whileItIsOpenNothingIsAttemptedForFiveMinutesAndThenOneProbe() {
        EndpointCircuitBreaker circuit = circuit(BreakerPolicy.FAILURES);
        fail(circuit, 10);

        pass(Duration.ofSeconds(299));
        assertThat(circuit.ask()).isInstanceOf(Ask.Open.class);
        pass(Duration.ofSeconds(1));

        assertThat(circuit.ask()).isInstanceOf(Ask.Go.class);
        assertThat(circuit.ask()).isInstanceOf(Ask.Wait.class);
        assertThat(circuit.ask()).isInstanceOf(Ask.Wait.class);
        assertThat(changes).containsExactly(CircuitState.OPEN, CircuitState.HALF_OPEN);
    }

    @ParameterizedTest
    @CsvSource({"FAILURES", "DLQ_RATE"})
    void aProbeThatSucceedsClosesIt(BreakerPolicy policy) {
        EndpointCircuitBreaker circuit = circuit(policy);
        fail(circuit, 10);
        deadLetter(circuit, 601);
        pass(Duration.ofMinutes(5));

        permit(circuit).succeeded();

        assertThat(changes).containsExactly(CircuitState.OPEN, CircuitState.HALF_OPEN, CircuitState.CLOSED);
        assertThat(circuit.ask()).isInstanceOf(Ask.Go.class);
        assertThat(circuit.ask()).isInstanceOf(Ask.Go.class);
    }

    @ParameterizedTest
    @CsvSource({"FAILURES", "DLQ_RATE"})
    void aProbeThatFailsOpensItForAnotherFiveMinutes(BreakerPolicy policy) {
        EndpointCircuitBreaker circuit = circuit(policy);
        fail(circuit, 10);
        deadLetter(circuit, 601);
        pass(Duration.ofMinutes(5));

        permit(circuit).failed();

        assertThat(circuit.ask()).isInstanceOf(Ask.Open.class);
        pass(Duration.ofSeconds(299));
        assertThat(circuit.ask()).isInstanceOf(Ask.Open.class);
        pass(Duration.ofSeconds(1));
        assertThat(circuit.ask()).isInstanceOf(Ask.Go.class);
    }

    @Test
    void aProbeThatNeverComesBackGivesWayToAnother() {
        EndpointCircuitBreaker circuit = circuit(BreakerPolicy.FAILURES);
        fail(circuit, 10);
        pass(Duration.ofMinutes(5));
        EndpointCircuitBreaker.Permit lost = permit(circuit);
        assertThat(circuit.ask()).isInstanceOf(Ask.Wait.class);

        pass(Duration.ofSeconds(30));
        EndpointCircuitBreaker.Permit another = permit(circuit);
        lost.failed();
        assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
        another.succeeded();

        assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void whatWasAttemptedBeforeItOpenedDoesNotDecideWhetherTheEndpointIsBack() {
        EndpointCircuitBreaker circuit = circuit(BreakerPolicy.FAILURES);
        EndpointCircuitBreaker.Permit slow = permit(circuit);
        fail(circuit, 10);

        slow.succeeded();
        assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);

        pass(Duration.ofMinutes(5));
        EndpointCircuitBreaker.Permit probe = permit(circuit);
        slow.failed();
        assertThat(circuit.state()).isEqualTo(CircuitState.HALF_OPEN);
        probe.succeeded();
        slow.failed();
        assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void deadLettersBeforeItOpenedDoNotOpenItAgain() {
        EndpointCircuitBreaker circuit = circuit(BreakerPolicy.DLQ_RATE);
        deadLetter(circuit, 601);
        pass(Duration.ofMinutes(5));
        permit(circuit).succeeded();

        deadLetter(circuit, 600);

        assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
    }
}
