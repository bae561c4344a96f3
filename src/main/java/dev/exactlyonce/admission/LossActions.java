package dev.exactlyonce.admission;

import dev.exactlyonce.common.SafeLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** What a handler wants to be run when its claim is lost. Thread-safe. */
final class LossActions {
    private static final System.Logger LOG = System.getLogger(LossActions.class.getName());

    private final Executor callbackExecutor;
    private final List<Runnable> actions = new ArrayList<>();

    LossActions(Executor callbackExecutor) {
        this.callbackExecutor = callbackExecutor;
    }

    synchronized void add(Runnable action) {
        actions.add(action);
    }

    synchronized void clear() {
        actions.clear();
    }

    /** Removes all of them. */
    synchronized List<Runnable> take() {
        List<Runnable> taken = List.copyOf(actions);
        actions.clear();
        return taken;
    }

    /** @throws RuntimeException where no thread can run it */
    void runNow(Runnable action) {
        callbackExecutor.execute(action);
    }

    /** Runs an action; one that finds no thread is kept for the next time. */
    void runOrKeep(Runnable action) {
        try {
            callbackExecutor.execute(action);
        } catch (Throwable noThread) {
            SafeLog.log(
                    LOG,
                    Level.ERROR,
                    "EXON0107 an action of Delivery.onLost found no thread to run on; it will be retried",
                    noThread);
            add(action);
        }
    }
}
