package dev.exactlyonce.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private final Exception fault = new IllegalStateException("fault");

    @Test
    void theWrappersOfStagesAndFuturesAreTakenOff() {
        assertThat(Failures.unwrap(new CompletionException(new ExecutionException(new CompletionException(fault)))))
                .isSameAs(fault);
    }

    @Test
    void aWrapperAroundNothingIsTheFailureItself() {
        CompletionException empty = new CompletionException("empty", null);
        assertThat(Failures.unwrap(empty)).isSameAs(empty);
    }

    @Test
    void otherCausesStayInside() {
        RuntimeException outer = new RuntimeException(fault);
        assertThat(Failures.unwrap(outer)).isSameAs(outer);
    }

    @Test
    void cancelledAndTimedOutWorkMayStillRun() {
        assertThat(Failures.isUnfinished(new CancellationException(), false)).isTrue();
        assertThat(Failures.isUnfinished(new TimeoutException(), false)).isTrue();
        assertThat(Failures.isUnfinished(new CompletionException(new TimeoutException()), true))
                .isTrue();
    }

    @Test
    void anythingElseHasEnded() {
        assertThat(Failures.isUnfinished(fault, true)).isFalse();
        assertThat(Failures.isUnfinished(new InterruptedException(), false)).isFalse();
        assertThat(Failures.isUnfinished(new OutOfMemoryError(), false)).isFalse();
    }

    @Test
    void aFaultToleranceTimeoutIsUnfinishedForAStageAlone() {
        var timeout = new org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException();
        assertThat(Failures.isUnfinished(timeout, true)).isTrue();
        assertThat(Failures.isUnfinished(new CompletionException(timeout), true))
                .isTrue();
        assertThat(Failures.isUnfinished(timeout, false)).isFalse();
    }
}
