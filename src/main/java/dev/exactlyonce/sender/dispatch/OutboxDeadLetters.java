package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.spi.DeadLetterStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The dead letters of a store, with the replay window of the settings. */
public final class OutboxDeadLetters implements DeadLetters {
    private static final int PAGE = 100;

    private final DeadLetterStore store;
    private final Duration replayWindow;
    private final Runnable replayed;

    /** @param replayed runs after something was put back */
    public OutboxDeadLetters(DeadLetterStore store, Duration replayWindow, Runnable replayed) {
        this.store = store;
        this.replayWindow = replayWindow;
        this.replayed = replayed;
    }

    @Override
    public List<DeadLetter> list(Filter filter) {
        return store.list(filter);
    }

    @Override
    public Optional<DeadLetter> get(String id) {
        return store.get(id);
    }

    @Override
    public Replay replay(String id, boolean force) {
        Replay result = store.replay(id, window(force));
        if (result == Replay.REPLAYED) {
            replayed.run();
        }
        return result;
    }

    @Override
    public ReplaySummary replayAll(Filter filter, boolean force) {
        int count = 0;
        int old = 0;
        Filter page = filter.limit(PAGE);
        while (true) {
            List<DeadLetter> letters = store.list(page);
            if (letters.isEmpty()) {
                replayed.run();
                return new ReplaySummary(count, old);
            }
            for (DeadLetter letter : letters) {
                Replay result = store.replay(letter.id(), window(force));
                count += result == Replay.REPLAYED ? 1 : 0;
                old += result == Replay.NEEDS_FORCE ? 1 : 0;
            }
            page = page.after(letters.get(letters.size() - 1).id());
        }
    }

    @Override
    public boolean discard(String id) {
        return store.discard(id);
    }

    private Optional<Duration> window(boolean force) {
        return force ? Optional.empty() : Optional.of(replayWindow);
    }
}
