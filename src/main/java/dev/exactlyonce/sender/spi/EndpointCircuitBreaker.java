package dev.exactlyonce.sender.spi;

import dev.exactlyonce.sender.CircuitState;
import dev.exactlyonce.sender.Endpoint;
import java.util.function.Consumer;

/**
 * The circuit breaker of one endpoint, of this replica. Thread-safe. Every permit ends in one of
 * {@link Permit#succeeded} and {@link Permit#failed}.
 *
 * @since 0.1.0
 */
public interface EndpointCircuitBreaker {
    /** Never opens. */
    EndpointCircuitBreaker NONE = new EndpointCircuitBreaker() {
        @Override
        public CircuitState state() {
            return CircuitState.CLOSED;
        }

        @Override
        public Ask ask() {
            return new Ask.Go(Permit.NO_OP);
        }

        @Override
        public void deadLettered() {}
    };

    CircuitState state();

    /** Asks for an attempt. */
    Ask ask();

    /** An event was dead-lettered for another reason than this circuit. */
    void deadLettered();

    /** May an attempt be made? */
    sealed interface Ask {
        /** Yes, and the permit must be given back. */
        record Go(Permit permit) implements Ask {}

        /** A probe is on its way: ask again soon. */
        record Wait() implements Ask {}

        /** No. */
        record Open() implements Ask {}
    }

    /** The right to one attempt. */
    interface Permit {
        Permit NO_OP = new Permit() {
            @Override
            public void succeeded() {}

            @Override
            public void failed() {}
        };

        /** The endpoint answered, also if it refused the event. */
        void succeeded();

        /** It did not answer, or answered that it cannot take events now. */
        void failed();
    }

    /** Makes an endpoint's. */
    @FunctionalInterface
    interface Factory {
        /** @param onChange called with every change of the state, on the thread that caused it */
        EndpointCircuitBreaker of(Endpoint endpoint, Consumer<CircuitState> onChange);
    }
}
