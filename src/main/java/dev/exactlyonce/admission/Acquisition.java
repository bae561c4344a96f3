package dev.exactlyonce.admission;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a delivery that asks for its claims. */
sealed interface Acquisition<R extends @Nullable Object> {
    /**
     * The handler may run.
     *
     * @param held the claims to record or release when it has ended, in the order in which they were granted; none for a
     *     forwarded duplicate
     * @param view what the handler sees
     */
    record ClaimsGranted<R extends @Nullable Object>(List<HeldLease> held, Lease view) implements Acquisition<R> {
        public ClaimsGranted {
            held = List.copyOf(held);
        }
    }

    /** The handler must not run; nothing is held. */
    record ClaimsRefused<R extends @Nullable Object>(Admission<R> refusal) implements Acquisition<R> {}
}
