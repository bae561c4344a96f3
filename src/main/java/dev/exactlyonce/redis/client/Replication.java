package dev.exactlyonce.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisCommands;

/**
 * The writes of a link whose answers are kept back until enough replicas have them. All that wait share one WAIT in the
 * link's next batch. It blocks the link, so it is short, and repeated as long as a caller waits.
 */
final class Replication {
    private static final int SLICES = 10;

    private final int replicas;
    private final long sliceMillis;
    private final Queue<QueuedCommand> unconfirmed = new ConcurrentLinkedQueue<>();
    private final Question nothing = new Question();

    /** @param replicas how many must have a write; with none, no answer is kept back */
    Replication(int replicas, Duration timeout) {
        this.replicas = replicas;
        this.sliceMillis = Math.max(1, timeout.toMillis() / SLICES);
    }

    boolean isWanted() {
        return replicas > 0;
    }

    boolean isPending() {
        return !unconfirmed.isEmpty();
    }

    /** A question of a batch, about the writes that came back before. */
    final class Question {
        private final List<QueuedCommand> about = new ArrayList<>();
        private final CompletableFuture<Integer> have = new CompletableFuture<>();

        private Question() {
            for (QueuedCommand one = unconfirmed.poll(); one != null; one = unconfirmed.poll()) {
                if (!one.isGivenUp()) {
                    about.add(one);
                }
            }
        }

        boolean isNeeded() {
            return !about.isEmpty();
        }

        CommandData<?, ?> command() {
            return new CommandData<>(have, null, RedisCommands.WAIT, new Object[] {replicas, sliceMillis});
        }

        void answered() {
            if (have.isDone()) {
                var unused = have.whenComplete(this::decide); // at once
            } else {
                unconfirmed.addAll(about);
            }
        }

        private void decide(@Nullable Integer count, @Nullable Throwable failure) {
            if (count != null && count >= replicas) {
                about.forEach(QueuedCommand::confirm);
            } else if (RedisExceptions.isForbidden(failure)) {
                fail(RedisExceptions.of(
                        RedisExceptions.cause(Objects.requireNonNull(failure)))); // nor would it be a moment later
            } else {
                unconfirmed.addAll(about);
            }
        }

        void fail(Throwable failure) {
            about.forEach(it -> it.reply().completeExceptionally(failure));
        }
    }

    Question ask() {
        return isPending() ? new Question() : nothing;
    }

    /** Takes the answer to a command: a write waits for its replicas, anything else is handed on. */
    void take(QueuedCommand operation, CompletableFuture<Object> answer) {
        boolean kept;
        try {
            kept = operation.keepWrite(answer.getNow(null), null);
        } catch (RuntimeException e) { // what the future failed with
            kept = operation.keepWrite(null, RedisExceptions.cause(e));
        }
        if (kept) {
            unconfirmed.add(operation);
        }
    }

    void fail(Throwable failure) {
        for (QueuedCommand one = unconfirmed.poll(); one != null; one = unconfirmed.poll()) {
            one.reply().completeExceptionally(failure);
        }
    }
}
