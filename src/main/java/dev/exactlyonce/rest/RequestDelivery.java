package dev.exactlyonce.rest;

import dev.exactlyonce.Turn;
import dev.exactlyonce.admission.Lease;
import dev.exactlyonce.admission.PreparedDelivery;
import dev.exactlyonce.source.SourceSettings;
import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/** What the filter prepared for the interceptor, for the length of one request. */
@RequestScoped
public class RequestDelivery {
    private static final String USE_THE_RUNNER =
            "an @ExactlyOnce method runs as its own request's matched method; call other work through ExactlyOnceRunner";

    private @Nullable Binding binding;
    private @Nullable SourceSettings source;
    private @Nullable PreparedDelivery prepared;
    private @Nullable AnswerWriter answers;
    private @Nullable Lease lease;
    private @Nullable Turn turn;
    private boolean taken;
    private boolean incomplete;

    void prepare(Binding matched, SourceSettings settings, PreparedDelivery delivery, AnswerWriter writer) {
        binding = matched;
        source = settings;
        prepared = delivery;
        answers = writer;
        taken = false;
    }

    /**
     * Hands the delivery out, once, to the method that the request matched.
     *
     * @throws IllegalStateException for any other method, or a second time
     */
    public PreparedDelivery take(Binding called) {
        PreparedDelivery delivery = prepared;
        if (delivery == null || taken || !called.equals(binding)) {
            throw new IllegalStateException(USE_THE_RUNNER);
        }
        taken = true;
        return delivery;
    }

    /** Marks the delivery as admitted. */
    public void admitted(Lease held) {
        lease = held;
    }

    /** The turn of the delivery's session. */
    public void hold(Turn taken) {
        turn = taken;
    }

    /** @throws IllegalStateException when the delivery has no session, or does not hold its turn yet */
    public Turn turn() {
        if (turn == null) {
            throw new IllegalStateException(
                    "there is no turn here: it is that of a delivery to a method with @OneAtATime, with a session");
        }
        return turn;
    }

    /** @throws IllegalStateException before the delivery was admitted */
    public Lease lease() {
        if (lease == null) {
            throw noDelivery();
        }
        return lease;
    }

    /** @throws IllegalStateException when the request carries no delivery */
    public PreparedDelivery delivery() {
        if (prepared == null) {
            throw noDelivery();
        }
        return prepared;
    }

    /** @throws IllegalStateException when the request carries no delivery */
    public SourceSettings source() {
        if (source == null) {
            throw noDelivery();
        }
        return source;
    }

    /**
     * Reads the end of the method.
     *
     * @throws IllegalStateException when the request carries no delivery
     */
    public HandlerResult result() {
        if (answers == null) {
            throw noDelivery();
        }
        return new HandlerResult(source(), answers);
    }

    /** A batch has items that are not recorded: whatever the handler fails with, the delivery must come again. */
    public void leaveIncomplete() {
        incomplete = true;
    }

    public boolean isIncomplete() {
        return incomplete;
    }

    /** For every use of a delivery where there is none. */
    public static IllegalStateException noDelivery() {
        return new IllegalStateException(
                "there is no admitted delivery here: Delivery works on the thread of a request "
                        + "to an @ExactlyOnce resource method");
    }
}
