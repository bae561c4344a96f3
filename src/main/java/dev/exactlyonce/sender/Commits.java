package dev.exactlyonce.sender;

import java.util.function.Consumer;

/** When what was enqueued counts: at once, or when the caller's transaction commits. */
@FunctionalInterface
public interface Commits {
    /** There are no transactions but the outbox's own. */
    Commits AT_ONCE = then -> then.accept(true);

    /** @param then is told whether it committed, once that is known */
    void onEnd(Consumer<Boolean> then);
}
