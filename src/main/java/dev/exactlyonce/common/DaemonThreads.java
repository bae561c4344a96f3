package dev.exactlyonce.common;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the module's own threads: named daemons that take nothing from the thread which happens to start them but the
 * context class loader of the thread that made this factory. That one is the application's where the server deploys it; a
 * thread that a request starts later would otherwise inherit the request's.
 */
public final class DaemonThreads implements ThreadFactory {
    private final String name;
    private final ClassLoader loader;

    public DaemonThreads(String name) {
        this(name, Thread.currentThread().getContextClassLoader());
    }

    private DaemonThreads(String name, @Nullable ClassLoader context) {
        this.name = name;
        this.loader = context == null ? DaemonThreads.class.getClassLoader() : context;
    }

    /** The same with another name. */
    public DaemonThreads named(String other) {
        return new DaemonThreads(other, loader);
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(null, task, name, 0, false); // no inheritable thread-locals
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        return thread;
    }
}
