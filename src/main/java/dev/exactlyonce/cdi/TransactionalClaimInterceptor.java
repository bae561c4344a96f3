package dev.exactlyonce.cdi;

import dev.exactlyonce.ExactlyOnce;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/**
 * Just inside of {@code @Transactional}: writes the record of a delivery in the handler's own transaction, where its mode is
 * transactional.
 */
@ExactlyOnce
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 202)
public class TransactionalClaimInterceptor {
    /** Under which a call carries its work. */
    static final String WORK = TransactionalClaimInterceptor.class.getName();

    @AroundInvoke
    public @Nullable Object claim(InvocationContext call) throws Exception {
        return call.getContextData().get(WORK) instanceof TransactionalWork work
                ? work.run(call::proceed)
                : call.proceed();
    }
}
