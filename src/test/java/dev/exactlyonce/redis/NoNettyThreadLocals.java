package dev.exactlyonce.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.internal.InternalThreadLocalMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Whatever a test does with a store, it leaves nothing of Netty on the calling thread, which is a server's. */
public final class NoNettyThreadLocals implements BeforeEachCallback, AfterEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
        FastThreadLocal.removeAll();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(InternalThreadLocalMap.getIfSet())
                .as("Netty's caches on the caller's thread")
                .isNull();
    }
}
