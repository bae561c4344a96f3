package dev.exactlyonce.admission;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A delivery under two keys: its own, and inside of it the one of its body, against a captured request that is sent again
 * under a new id. The handler runs when both are granted, and its end settles both. For one delivery, once.
 */
final class BothKeys<R extends @Nullable Object> implements Handler<R> {
    /** Asks for admission under one key. */
    @FunctionalInterface
    interface Admitter {
        <R extends @Nullable Object> Admission<R> admit(PreparedDelivery delivery, Handler<R> handler) throws Exception;
    }

    /** The body's key was refused: nothing ran. */
    private static final class BodyRefused extends RuntimeException {
        private static final long serialVersionUID = 1;

        BodyRefused() {
            super("the body was refused", null, false, false);
        }
    }

    private final Admitter admitter;
    private final PreparedDelivery byBody;
    private final Handler<R> handler;
    private @Nullable Admission<R> refusal;
    private volatile @Nullable RuntimeException overtaken;

    BothKeys(Admitter admitter, PreparedDelivery byBody, Handler<R> handler) {
        this.admitter = admitter;
        this.byBody = byBody;
        this.handler = handler;
    }

    Admission<R> admit(PreparedDelivery delivery) throws Exception {
        try {
            return admitter.admit(delivery, this);
        } catch (BodyRefused refused) {
            if (refusal == null) {
                throw refused; // another delivery's, which the handler brought about
            }
            return refusal;
        }
    }

    @Override
    public R handle(Lease lease) throws Exception {
        if (lease.isDuplicate()) {
            return handler.handle(lease);
        }
        Admission<R> admission = admitter.admit(byBody, new OfTheBody(lease));
        if (admission instanceof Admission.HandlerEnded<R> ran) {
            return ran.result();
        }
        refusal = admission;
        throw new BodyRefused();
    }

    @Override
    public Outcome judge(@Nullable Object value) {
        return handler.judge(value);
    }

    /** A delivery whose body was refused frees its own key, whatever else is recorded. */
    @Override
    public Outcome judgeFailure(Throwable failure, boolean ofStage) {
        boolean refused = failure instanceof BodyRefused && refusal != null;
        return refused || (overtaken != null && Failures.unwrap(failure) == overtaken)
                ? Outcome.notRun()
                : handler.judgeFailure(failure, ofStage);
    }

    @Override
    public RuntimeException superseded(Duration leaseLeft) {
        return handler.superseded(leaseLeft);
    }

    /** The same handler, under the lease of the delivery's own key. */
    private final class OfTheBody implements Handler<R> {
        private final Lease own;

        OfTheBody(Lease own) {
            this.own = own;
        }

        @Override
        public R handle(Lease lease) throws Exception {
            return handler.handle(lease.isDuplicate() ? lease : own);
        }

        @Override
        public Outcome judge(@Nullable Object value) {
            return handler.judge(value);
        }

        @Override
        public Outcome judgeFailure(Throwable failure, boolean ofStage) {
            return handler.judgeFailure(failure, ofStage);
        }

        @Override
        public RuntimeException superseded(Duration leaseLeft) {
            RuntimeException failure = handler.superseded(leaseLeft);
            overtaken = failure;
            return failure;
        }
    }
}
