package dev.exactlyonce.admission;

import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Reads how work failed. */
public final class Failures {
    /** By name, since Fault Tolerance need not be there. */
    private static final Set<String> STAGE_TIMEOUTS =
            Set.of("org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException");

    private Failures() {}

    /** The failure itself, without the wrappers that stages and futures put around it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable it = failure;
        while ((it instanceof CompletionException || it instanceof ExecutionException) && it.getCause() != null) {
            it = it.getCause();
        }
        return it;
    }

    /**
     * Whether the caller stopped waiting for work that may go on: a cancellation or a timeout. Fault Tolerance's own
     * timeout is one only for a stage; a synchronous method has come back when it is thrown.
     */
    public static boolean isUnfinished(Throwable failure, boolean ofStage) {
        Throwable it = unwrap(failure);
        return it instanceof CancellationException
                || it instanceof TimeoutException
                || (ofStage && STAGE_TIMEOUTS.contains(it.getClass().getName()));
    }
}
