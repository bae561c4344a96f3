package dev.exactlyonce.admission;

import org.jspecify.annotations.Nullable;

/** What became of a request before it may touch the store. */
public sealed interface Preparation {
    /**
     * @param body the whole body, to be handed to the handler; not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
    record Ready(PreparedDelivery delivery, byte[] body) implements Preparation {}

    /** The body is over the source's cap; nothing of it was looked at. */
    record TooLarge(int maxBodySize) implements Preparation {}

    /** The signature is missing or wrong; the fault is for the operator, not for the sender. */
    record Unverified(String fault) implements Preparation {}

    /** There is no key, or it or the message around it is malformed. */
    record Unkeyed(String reason) implements Preparation {}

    /** It is no delivery to be admitted: this is its answer. */
    record Answered(Reply reply) implements Preparation {}

    /** What became of it in a few words that hold nothing of the request, for the log. */
    default String why() {
        return fold(new PreparationVisitor<>() {
            @Override
            public String ready(Ready it) {
                return "Ready";
            }

            @Override
            public String tooLarge(TooLarge it) {
                return "TooLarge: the body is larger than " + it.maxBodySize() + " bytes";
            }

            @Override
            public String unverified(Unverified it) {
                return "Unverified: " + it.fault();
            }

            @Override
            public String unkeyed(Unkeyed it) {
                return "Unkeyed: " + it.reason();
            }

            @Override
            public String answered(Answered it) {
                return "Answered: " + it.reply().why();
            }
        });
    }

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
