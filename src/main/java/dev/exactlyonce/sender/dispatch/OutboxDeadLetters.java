package dev.exactlyonce.sender.dispatch;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.spi.Outbox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The dead letters of an outbox. */
public final class OutboxDeadLetters implements DeadLetters {
    private static final int PAGE = 100;

    private final Outbox outbox;
    private final Duration replayWindow;
    private final Runnable replayed;

    /** @param replayed runs after something was put back */
    public OutboxDeadLetters(Outbox outbox, Duration replayWindow, Runnable replayed) {
        this.outbox = outbox;
        this.replayWindow = replayWindow;
        this.replayed = replayed;
    }

    @Override
    public List<DeadLetter> list(Filter filter) {
        return outbox.dead(filter);
    }

    @Override
    public Optional<DeadLetter> get(String id) {
        return outbox.dead(id);
    }

    @Override
    public Replay replay(String id, boolean force) {
        Replay result = outbox.replay(id, window(force));
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
            List<DeadLetter> letters = outbox.dead(page);
            if (letters.isEmpty()) {
                replayed.run();
                return new ReplaySummary(count, old);
            }
            for (DeadLetter letter : letters) {
                Replay result = outbox.replay(letter.id(), window(force));
                count += result == Replay.REPLAYED ? 1 : 0;
                old += result == Replay.NEEDS_FORCE ? 1 : 0;
            }
            page = page.after(letters.get(letters.size() - 1).id());
        }
    }

    @Override
    public boolean discard(String id) {
        return outbox.discard(id);
    }

    private Optional<Duration> window(boolean force) {
        return force ? Optional.empty() : Optional.of(replayWindow);
    }
}
