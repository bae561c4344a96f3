package dev.exactlyonce.cdi;

import dev.exactlyonce.admission.Admission;
import dev.exactlyonce.admission.Handler;
import dev.exactlyonce.admission.Lease;
import dev.exactlyonce.admission.Outcome;
import dev.exactlyonce.admission.TransactionalLease;
import dev.exactlyonce.rest.HandlerResult;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.rest.Responses;
import dev.exactlyonce.spi.RecordedAnswer;
import jakarta.interceptor.InvocationContext;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A resource method as the engine's handler, and the engine's decision as its end: a return, or a thrown refusal. */
@SuppressWarnings("NullAway") // a type argument's own nullness is beyond it: a handler may return null
final class ResourceCall
        implements Handler<@Nullable Object>, Admission.AdmissionVisitor<@Nullable Object, @Nullable Object> {
    private static final System.Logger LOG = System.getLogger(ResourceCall.class.getName());

    private final InvocationContext call;
    private final RequestDelivery current;
    private final AmbientTransaction transactions;
    private final HandlerResult result;
    private final int inFlightStatus;

    ResourceCall(InvocationContext call, RequestDelivery current, AmbientTransaction transactions) {
        this.call = call;
        this.current = current;
        this.transactions = transactions;
        this.result = current.result(); // as is the next: a stage may end where no request is active
        this.inFlightStatus = current.source().inFlightStatus();
    }

    @Override
    public @Nullable Object handle(Lease lease) throws Exception {
        current.admitted(lease);
        if (lease instanceof TransactionalLease transactional) {
            return handleInTransaction(transactional);
        }
        Object returned = lease.isDuplicate() // its work is done, and its answer is the handler's alone
                ? call.proceed()
                : TransactionWatch.over(transactions, call::proceed, this::rolledBack);
        if (returned == null
                && CompletionStage.class.isAssignableFrom(call.getMethod().getReturnType())) {
            throw new IllegalStateException("the method returned null in place of a stage"); // JAX-RS answers 500
        }
        return returned;
    }

    /** {@link TransactionalClaimInterceptor} writes the record, further inside. */
    private @Nullable Object handleInTransaction(TransactionalLease lease) throws Exception {
        call.getContextData()
                .put(
                        TransactionalClaimInterceptor.WORK,
                        new TransactionalWork(
                                transactions, lease, this, DontRollbackOn.of(call.getMethod(), call.getTarget())));
        Object returned;
        try {
            returned = call.proceed();
        } finally {
            call.getContextData().remove(TransactionalClaimInterceptor.WORK);
        }
        if (lease.isUndone()) {
            throw rolledBack();
        }
        return returned;
    }

    private RuntimeException rolledBack() {
        LOG.log(
                Level.WARNING,
                "EXON0532 {0} {1}: returned normally, and a transaction that the container began for it was rolled back;"
                        + " the delivery has failed",
                current.delivery().source().name(),
                current.delivery().key());
        return Responses.rolledBack();
    }

    @Override
    public Outcome judge(@Nullable Object value) {
        return result.ofReturned(value);
    }

    @Override
    public Outcome judgeFailure(Throwable failure, boolean ofStage) {
        return !ofStage && current.isIncomplete() ? Outcome.notRun() : result.ofFailure(failure, ofStage);
    }

    @Override
    public RuntimeException superseded(Duration leaseLeft) {
        return Responses.refuse(Responses.inFlight(inFlightStatus, leaseLeft));
    }

    @Override
    public @Nullable Object ran(@Nullable Object returned) {
        return returned;
    }

    @Override
    public Object duplicate(RecordedAnswer answer) {
        throw Responses.refuse(Responses.duplicate(answer));
    }

    @Override
    public Object inFlight(Duration leaseLeft) {
        throw superseded(leaseLeft);
    }

    @Override
    public Object otherBody() {
        throw Responses.refuse(Responses.otherBody());
    }

    @Override
    public Object unavailable() {
        throw Responses.refuse(Responses.unavailable());
    }
}
