package dev.exactlyonce.redis;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.lang.ref.Reference;

/**
 * Netty's loggers of {@code java.util.logging}, asked for through {@link System.Logger} first. Open Liberty's logger keeps
 * the class that asked for it first, and each redeployment finds the logger there again: a class of Netty would keep the
 * first application's class loader as long as there is a next one.
 */
final class NettyLoggers extends InternalLoggerFactory {
    private final JdkLoggerFactory loggers;

    private NettyLoggers(JdkLoggerFactory loggers) {
        this.loggers = loggers;
    }

    /** Does nothing where Netty logs by other means, or belongs to others, too. */
    static void install() {
        if (InternalLoggerFactory.class.getClassLoader() != NettyLoggers.class.getClassLoader()) {
            return;
        }
        System.Logger first = System.getLogger(InternalLoggerFactory.class.getName()); // which logs about itself
        try {
            if (InternalLoggerFactory.getDefaultFactory() instanceof JdkLoggerFactory loggers) {
                InternalLoggerFactory.setDefaultFactory(new NettyLoggers(loggers));
            }
        } finally {
            Reference.reachabilityFence(first);
        }
    }

    @Override
    protected InternalLogger newInstance(String name) {
        System.Logger first = System.getLogger(name);
        try {
            return loggers.newInstance(name);
        } finally {
            Reference.reachabilityFence(first);
        }
    }
}
