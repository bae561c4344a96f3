package dev.exactlyonce.cdi;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Transactional;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Just inside of the container's own interceptor: see {@link OutsideTransaction}. */
@Transactional
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 201)
public class InsideTransaction implements Serializable {
    private static final long serialVersionUID = 1L;

    @AroundInvoke
    public @Nullable Object watch(InvocationContext call) throws Exception {
        TransactionWatch watch = TransactionWatch.current();
        return watch == null ? call.proceed() : watch.inside(call);
    }
}
