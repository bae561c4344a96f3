package dev.exactlyonce.admission;

import java.util.List;
import java.util.function.Function;

/** Finds the raw parts of a delivery's idempotency key. Must be deterministic: a redelivery has the same parts. */
@FunctionalInterface
public interface KeyResolver {
    Resolution resolve(DeliveryRequest request, byte[] body);

    /** What was found. */
    sealed interface Resolution {
        /** The raw parts, in order; each is one that {@link DeliveryKey#fault} accepts. */
        record Found(List<String> parts) implements Resolution {}

        /** Why there is no key: what was looked for and what is wrong with it, never the value. */
        record Unusable(String reason) implements Resolution {}

        default <A> A fold(Function<Found, A> found, Function<Unusable, A> unusable) {
            return this instanceof Found it ? found.apply(it) : unusable.apply((Unusable) this);
        }
    }
}
