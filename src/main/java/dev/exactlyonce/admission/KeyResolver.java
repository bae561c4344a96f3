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
         * @param session the parts of its session, of which one delivery runs at a time; empty where it has none
         */
        record KeyParts(List<String> parts, boolean andBody, List<String> session) implements Resolution {
            public KeyParts(List<String> parts) {
                this(parts, false, List.of());
            }

            public KeyParts andBodyToBeNew() {
                return new KeyParts(parts, true, session);
            }

            public KeyParts inSession(List<String> ofSession) {
                return new KeyParts(parts, andBody, ofSession);
            }
        }

        /** Why there is no key: what was looked for and what is wrong with it, never the value. */
        record NoKey(String reason) implements Resolution {}

        /** It is no delivery to be admitted: it is answered with this, and the store is not asked. */
        record DirectReply(Reply reply) implements Resolution {}

        default <A> A fold(
                Function<KeyParts, A> found, Function<NoKey, A> unusable, Function<DirectReply, A> answered) {
            if (this instanceof KeyParts it) {
                return found.apply(it);
            }
            return this instanceof NoKey it ? unusable.apply(it) : answered.apply((DirectReply) this);
        }
    }
}
