package dev.exactlyonce.admission;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The work that a delivery asks for, and how to read its end. */
public interface Handler<R extends @Nullable Object> {
    /** @param lease the claim's, as it is whenever it is asked */
    R handle(Lease lease) throws Exception;

    /** The outcome of a normal return, or of a stage's value. */
    Outcome judge(@Nullable Object value);

    /** The outcome of an exception, or of the failure of a stage. */
    Outcome judgeFailure(Throwable failure, boolean ofStage);

    /** What a stage fails with when another owner has the key by now. */
    RuntimeException superseded(Duration leaseLeft);
}
