package dev.exactlyonce.cdi;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.admission.PreparedDelivery;
import dev.exactlyonce.guard.DegradedFacts;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.Bindings;
import dev.exactlyonce.rest.RequestDelivery;
import dev.exactlyonce.rest.Responses;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hands a bound method's call to the engine. First of all interceptors: outside transactions, so that the record follows
 * the commit, and outside Fault Tolerance, so that its retries share one claim.
 */
@ExactlyOnce
@Interceptor
@Priority(1)
public class ExactlyOnceInterceptor {
    private static final System.Logger LOG = System.getLogger(ExactlyOnceInterceptor.class.getName());

    private final SessionTurns admissions;
    private final Bindings bindings;
    private final DegradedFacts facts;
    private final RequestDelivery current;
    private final AmbientTransaction transaction;

    @Inject
    ExactlyOnceInterceptor(InterceptorContext entrance) {
        this.admissions = entrance.admissions();
        this.bindings = entrance.bindings();
        this.facts = entrance.facts();
        this.current = entrance.current();
        this.transaction = entrance.transaction();
    }

    @AroundInvoke
    public @Nullable Object admit(InvocationContext call) throws Exception {
        Class<?> target = call.getTarget().getClass();
        Optional<Binding> binding = bindings.find(target, call.getMethod());
        if (binding.isEmpty() && bindings.knows(target)) {
            return call.proceed(); // of a bound class, but not covered: a GET, or no resource method
        }
        if (binding.isEmpty()) {
            throw new IllegalStateException("a binding that was not resolved at deployment admits nothing");
        }
        if (!bindings.isFiltered(binding.get())) {
            LOG.log(
                    Level.ERROR,
                    "EXON0512 {0} {1}: the filter is not there, so nothing can be admitted; JAX-RS must load services",
                    binding.get().httpMethod(),
                    binding.get().template());
            facts.refuseDeployment();
            throw Responses.refuse(Responses.fault());
        }
        PreparedDelivery delivery = current.take(binding.get());
        if (transaction.isActive()) {
            LOG.log(Level.ERROR, "EXON0501 a transaction was active before {0} could be admitted", delivery.key());
            throw Responses.refuse(Responses.fault());
        }
        return admissions.admit(delivery, new ResourceCall(call, current, transaction), current);
    }
}
