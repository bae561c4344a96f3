package dev.exactlyonce.cdi;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Transactional;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** As {@link OutsideTransaction}, of methods with REQUIRES_NEW: the type of a transaction is part of the interceptor's binding. */
@Transactional(Transactional.TxType.REQUIRES_NEW)
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 199)
public class OutsideNewTransaction implements Serializable {
    private static final long serialVersionUID = 1L;

    @AroundInvoke
    public @Nullable Object watch(InvocationContext call) throws Exception {
        TransactionWatch watch = TransactionWatch.current();
        return watch == null ? call.proceed() : watch.outside(call);
    }
}
