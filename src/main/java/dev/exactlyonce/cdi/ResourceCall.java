package dev.exactlyonce.cdi;

import dev.exactlyonce.admission.Admission;
import dev.exactlyonce.admission.Handler;
import dev.exactlyonce.admission.Lease;
import dev.exactlyonce.admission.Outcome;
import dev.exactlyonce.rest.Answers;
import dev.exactlyonce.rest.HandlerResult;
import dev.exactlyonce.rest.RequestDelivery;
import jakarta.interceptor.InvocationContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A resource method as the engine's handler, and the engine's decision as its end: a return, or a thrown refusal. */
@SuppressWarnings("NullAway") // a type argument's own nullness is beyond it: a handler may return null
final class ResourceCall implements Handler<@Nullable Object>, Admission.Cases<@Nullable Object, @Nullable Object> {
    private final InvocationContext call;
    private final RequestDelivery current;
    private final int inFlightStatus;

    ResourceCall(InvocationContext call, RequestDelivery current) {
        this.call = call;
        this.current = current;
        this.inFlightStatus = current.source().inFlightStatus(); // a stage may end where no request is active
    }

    @Override
    public @Nullable Object handle(Lease lease) throws Exception {
        current.admitted(lease);
        Object result = call.proceed();
        if (result == null
                && CompletionStage.class.isAssignableFrom(call.getMethod().getReturnType())) {
            throw new IllegalStateException("the method returned null in place of a stage"); // JAX-RS answers 500
        }
        return result;
    }

    @Override
    public Outcome judge(@Nullable Object value) {
        return HandlerResult.returned(value);
    }

    @Override
    public Outcome judgeFailure(Throwable failure, boolean ofStage) {
        return HandlerResult.failed(failure, ofStage);
    }

    @Override
    public RuntimeException superseded(Duration leaseLeft) {
        return Answers.refuse(Answers.inFlight(inFlightStatus, leaseLeft));
    }

    @Override
    public @Nullable Object ran(@Nullable Object result) {
        return result;
    }

    @Override
    public Object duplicate(int status) {
        throw Answers.refuse(Answers.duplicate(status));
    }

    @Override
    public Object inFlight(Duration leaseLeft) {
        throw superseded(leaseLeft);
    }

    @Override
    public Object otherBody() {
        throw Answers.refuse(Answers.otherBody());
    }

    @Override
    public Object unavailable() {
        throw Answers.refuse(Answers.unavailable());
    }
}
