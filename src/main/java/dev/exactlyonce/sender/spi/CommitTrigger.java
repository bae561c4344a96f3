package dev.exactlyonce.sender.spi;

import java.util.function.Consumer;

/**
 * When what was enqueued counts: at once, or when the caller's transaction commits.
 *
 * @since 0.1.0
 */
public interface CommitTrigger {
    /** There are no transactions but the outbox's own. */
    CommitTrigger AT_ONCE = new CommitTrigger() {
        @Override
        public boolean arePending() {
            return false;
        }

        @Override
        public void onEnd(Consumer<Boolean> then) {
            then.accept(true);
        }
    };

    /** Whether the calling thread is inside a transaction that what it enqueues takes part in. */
    boolean arePending();

    /** @param then called with whether it committed, once that is known */
    void onEnd(Consumer<Boolean> then);
}
