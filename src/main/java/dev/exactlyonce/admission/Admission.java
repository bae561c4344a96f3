package dev.exactlyonce.admission;

import dev.exactlyonce.spi.RecordedAnswer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a delivery. */
public sealed interface Admission<R extends @Nullable Object> {
    /** The handler ran and returned, also for a duplicate that its source forwards; a stage it returned is replaced by one that ends after record or release. */
    record HandlerEnded<R extends @Nullable Object>(R result) implements Admission<R> {}

    /** Recorded before, with this end: a 2xx, or a failure that {@code record-on} kept. */
    record RecordedBefore<R extends @Nullable Object>(RecordedAnswer answer) implements Admission<R> {}

    /** A copy runs now; its lease has this much left. */
    record StillRunning<R extends @Nullable Object>(Duration leaseLeft) implements Admission<R> {}

    /** The key was used with another body. */
    record FingerprintMismatch<R extends @Nullable Object>() implements Admission<R> {}

    /** The store cannot be reached and the source would rather wait. */
    record StoreUnreachable<R extends @Nullable Object>() implements Admission<R> {}

    /** One answer for each case; a new case breaks the build where it is not handled. */
    interface AdmissionVisitor<R extends @Nullable Object, A extends @Nullable Object> {
        A ran(R result);

        A duplicate(RecordedAnswer answer);

        A inFlight(Duration leaseLeft);

        A otherBody();

        A unavailable();
    }

    default <A extends @Nullable Object> A fold(AdmissionVisitor<R, A> cases) {
        if (this instanceof HandlerEnded<R> it) {
            return cases.ran(it.result());
        }
        if (this instanceof RecordedBefore<R> it) {
            return cases.duplicate(it.answer());
        }
        if (this instanceof StillRunning<R> it) {
            return cases.inFlight(it.leaseLeft());
        }
        if (this instanceof FingerprintMismatch<R>) {
            return cases.otherBody();
        }
        return cases.unavailable();
    }
}
