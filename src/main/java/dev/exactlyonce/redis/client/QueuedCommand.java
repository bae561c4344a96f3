package dev.exactlyonce.redis.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisCommand;

/** One command on its way over a {@link SharedConnection}, and the reply that its caller waits for. */
public final class QueuedCommand {
    private enum CommandState {
        WAITING,
        SENT,
        GIVEN_UP
    }

    private static final String OK = "OK";

    /** The smallest number with which a script says that it has written; a fencing token is a greater one. */
    private static final long DONE = 1;

    private final RedisCommand<?> command;
    private final Object[] arguments;
    private final boolean asking;
    private final CompletableFuture<Object> reply = new CompletableFuture<>();
    private final AtomicReference<CommandState> state = new AtomicReference<>(CommandState.WAITING);
    private volatile @Nullable Object unconfirmed;

    /** @param asking whether ASKING precedes the command, after a redirection by the key's former node */
    public QueuedCommand(RedisCommand<?> command, Object[] arguments, boolean asking) {
        this.command = command;
        this.arguments = arguments;
        this.asking = asking;
    }

    boolean isAsking() {
        return asking;
    }

    /** Takes the operation up, unless its caller has stopped waiting: then it must not be sent any more. */
    boolean begin() {
        return state.compareAndSet(CommandState.WAITING, CommandState.SENT);
    }

    void giveUp() {
        state.set(CommandState.GIVEN_UP);
    }

    boolean isGivenUp() {
        return state.get() == CommandState.GIVEN_UP;
    }

    /** Whether Redis may have got it. */
    boolean wasSent() {
        return state.get() == CommandState.SENT;
    }

    public CompletableFuture<Object> reply() {
        return reply;
    }

    CommandData<?, Object> into(CompletableFuture<Object> promise) {
        return new CommandData<>(promise, StringCodec.INSTANCE, command, arguments);
    }

    /**
     * Takes an answer that replicas may have to confirm.
     *
     * @return whether it is of a write, so that it is kept back; any other is handed on
     */
    boolean keepWrite(@Nullable Object value, @Nullable Throwable failure) {
        if (failure != null) {
            reply.completeExceptionally(failure);
        } else if (OK.equals(value) || (value instanceof Long number && number >= DONE)) {
            unconfirmed = value;
            return true;
        } else {
            complete(value);
        }
        return false;
    }

    /** Whether it was applied, and no more is known. */
    boolean isUnconfirmed() {
        return unconfirmed != null && !reply.isDone();
    }

    void confirm() {
        complete(unconfirmed);
    }

    @SuppressWarnings("NullAway") // null is one of Redis's answers
    private void complete(@Nullable Object value) {
        reply.complete(value);
    }
}
