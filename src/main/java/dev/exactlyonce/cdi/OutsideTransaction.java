package dev.exactlyonce.cdi;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Transactional;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Just outside of the container's own interceptor, so that a transaction which was there before is distinguished from one that this
 * call began. {@link TransactionExtension} makes it an interceptor, where JTA is there.
 */
@Transactional
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 199)
public class OutsideTransaction implements Serializable {
    private static final long serialVersionUID = 1L;

    @AroundInvoke
    public @Nullable Object watch(InvocationContext call) throws Exception {
        TransactionWatch watch = TransactionWatch.current();
        return watch == null ? call.proceed() : watch.outside(call);
    }
}
