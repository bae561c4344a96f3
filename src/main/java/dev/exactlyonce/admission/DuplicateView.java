package dev.exactlyonce.admission;

import java.time.Duration;
import java.util.Objects;

/** What the handler of a forwarded duplicate sees: it has no claim, so that nothing is held and nothing can be lost. */
enum DuplicateView implements Lease {
    INSTANCE;

    @Override
    public Duration left() {
        return Duration.ZERO;
    }

    @Override
    public boolean stillOwned() {
        return false;
    }

    @Override
    public void onLost(Runnable action) {
        Objects.requireNonNull(action, "an action to be run on the loss of the lease");
    }

    @Override
    public long fence() {
        return 0;
    }

    @Override
    public boolean isDuplicate() {
        return true;
    }
}
