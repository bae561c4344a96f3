package dev.exactlyonce.redis;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.internal.InternalThreadLocalMap;
import java.util.function.Supplier;

/**
 * Netty keeps caches for every thread that runs its code. A thread of the server outlives the application, and would hold
 * its class loader through them. So what calls Netty on a caller's thread does it in here.
 */
public final class NettyThreadLocals {
    private NettyThreadLocals() {}

    /** What the call returns. Leaves the thread's caches alone when it had some before: they are another application's. */
    public static <T> T removedAfter(Supplier<T> call) {
        if (InternalThreadLocalMap.getIfSet() != null) {
            return call.get();
        }
        try {
            return call.get();
        } finally {
            FastThreadLocal.removeAll();
        }
    }
}
