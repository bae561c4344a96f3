package dev.exactlyonce.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.exactlyonce.admission.Outcome;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What needs no JAX-RS implementation; responses and their exceptions are tested on a server. */
class HandlerResultTest {
    @Test
    void nothingIsA204AndAnythingElseA200() {
        assertThat(HandlerResult.returned(null)).isEqualTo(Outcome.ofStatus(204));
        assertThat(HandlerResult.returned("done")).isEqualTo(Outcome.ofStatus(200));
        assertThat(HandlerResult.returned(500)).isEqualTo(Outcome.ofStatus(200));
        assertThat(HandlerResult.returned(new IllegalStateException())).isEqualTo(Outcome.ofStatus(200));
    }

    @Test
    void anExceptionWithoutAStatusIsA500() {
        assertThat(HandlerResult.failed(new IllegalStateException(), false)).isEqualTo(Outcome.ofFailure(500));
        assertThat(HandlerResult.failed(new OutOfMemoryError(), true)).isEqualTo(Outcome.ofFailure(500));
        assertThat(HandlerResult.failed(new CompletionException(new IllegalStateException()), true))
                .isEqualTo(Outcome.ofFailure(500));
    }

    @Test
    void workThatWasGivenUpOnIsUnfinished() {
        assertThat(HandlerResult.failed(new TimeoutException(), false)).isEqualTo(Outcome.unfinished());
        assertThat(HandlerResult.failed(new CompletionException(new CancellationException()), true))
                .isEqualTo(Outcome.unfinished());
    }

    @Test
    void aFaultToleranceTimeoutOfASynchronousMethodIsAFailureAndOfAStageUnfinished() {
        var timeout = new org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException();
        assertThat(HandlerResult.failed(timeout, false)).isEqualTo(Outcome.ofFailure(500));
        assertThat(HandlerResult.failed(timeout, true)).isEqualTo(Outcome.unfinished());
    }
}
