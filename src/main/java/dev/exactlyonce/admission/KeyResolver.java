package dev.exactlyonce.admission;

import java.util.List;
import java.util.function.Function;

/** Finds the raw parts of a delivery's idempotency key. Must be deterministic: a redelivery has the same parts. */
@FunctionalInterface
public interface KeyResolver {
    Resolution resolve(DeliveryRequest request, byte[] body);

    /** What was found. */
    sealed interface Resolution {
        /**
         * The raw parts, in order; each is one that {@link DeliveryKey#fault} accepts.
         *
         * @param andBody whether the body must be new, too, whatever the parts are
         */
        record Found(List<String> parts, boolean andBody) implements Resolution {
            public Found(List<String> parts) {
                this(parts, false);
            }
        }

        /** Why there is no key: what was looked for and what is wrong with it, never the value. */
        record Unusable(String reason) implements Resolution {}

        /** It is no delivery to be admitted: it is answered with this, and the store is not asked. */
        record Answered(Reply reply) implements Resolution {}

        default <A> A fold(Function<Found, A> found, Function<Unusable, A> unusable, Function<Answered, A> answered) {
            if (this instanceof Found it) {
                return found.apply(it);
            }
            return this instanceof Unusable it ? unusable.apply(it) : answered.apply((Answered) this);
        }
    }
}
