package dev.exactlyonce.cdi;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Of a session bean's methods, whose transaction is there before any interceptor. {@link TransactionExtension} makes it an
 * interceptor, where enterprise beans and JTA are there.
 */
@SessionBeanMethod
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 201)
public class InsideSessionBean implements Serializable {
    private static final long serialVersionUID = 1L;

    @AroundInvoke
    public @Nullable Object watch(InvocationContext call) throws Exception {
        TransactionWatch watch = TransactionWatch.current();
        return watch == null ? call.proceed() : watch.inside(call);
    }
}
