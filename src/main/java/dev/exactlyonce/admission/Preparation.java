package dev.exactlyonce.admission;

import dev.exactlyonce.event.RefusalReason;
import org.jspecify.annotations.Nullable;

/** The result of reading, verifying and keying a request, before the store is asked. */
public sealed interface Preparation {
    /**
     * @param body the whole body, to be handed to the handler; not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
    record Ready(PreparedDelivery delivery, byte[] body) implements Preparation {}

    /** The delivery is refused, and the store is not asked. */
    sealed interface Refusal extends Preparation {
        RefusalReason category();

        /** What failed, without data of the request or a secret: for the operator. */
        String detail();
    }

    /** The body is over the source's cap; no part of it was checked. */
    record TooLarge(int maxBodySize) implements Refusal {
        @Override
        public RefusalReason category() {
            return RefusalReason.TOO_LARGE;
        }

        @Override
        public String detail() {
            return "the body is larger than " + maxBodySize + " bytes";
        }
    }

    /** The signature is missing or wrong; the fault is for the operator, not for the sender. */
    record Unverified(String fault) implements Refusal {
        @Override
        public RefusalReason category() {
            return RefusalReason.UNVERIFIED;
        }

        @Override
        public String detail() {
            return fault;
        }
    }

    /** There is no key, or it or the message around it is malformed. */
    record Unkeyed(String reason) implements Refusal {
        @Override
        public RefusalReason category() {
            return RefusalReason.UNKEYED;
        }

        @Override
        public String detail() {
            return reason;
        }
    }

    /** The request is not a delivery to admit: this is its answer. */
    record Answered(Reply reply) implements Preparation {}

    /** One answer for each case. */
    interface PreparationVisitor<A extends @Nullable Object> {
        A ready(Ready it);

        A tooLarge(TooLarge it);

        A unverified(Unverified it);

        A unkeyed(Unkeyed it);

        A answered(Answered it);
    }

    default <A extends @Nullable Object> A fold(PreparationVisitor<A> cases) {
        if (this instanceof Ready it) {
            return cases.ready(it);
        }
        if (this instanceof TooLarge it) {
            return cases.tooLarge(it);
        }
        if (this instanceof Answered it) {
            return cases.answered(it);
        }
        if (this instanceof Unkeyed it) {
            return cases.unkeyed(it);
        }
        return cases.unverified((Unverified) this);
    }
}
