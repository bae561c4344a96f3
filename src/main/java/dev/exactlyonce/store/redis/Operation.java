package dev.exactlyonce.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisCommand;

/** One command on its way over a {@link Link}, and the reply that its caller waits for. */
final class Operation {
    private enum State {
        WAITING,
        SENT,
        GIVEN_UP
    }

    private final RedisCommand<?> command;
    private final Object[] arguments;
    private final boolean asking;
    private final CompletableFuture<Object> reply = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile int replicas;

    /** @param asking whether a Cluster's node is to be told that it was named by the key's former one */
    Operation(RedisCommand<?> command, Object[] arguments, boolean asking) {
        this.command = command;
        this.arguments = arguments;
        this.asking = asking;
    }

    boolean isAsking() {
        return asking;
    }

    /** Takes the operation up, unless its caller has stopped waiting: then it must not be sent any more. */
    boolean begin() {
        return state.compareAndSet(State.WAITING, State.SENT);
    }

    void giveUp() {
        state.compareAndSet(State.WAITING, State.GIVEN_UP);
    }

    /** Whether Redis may have got it. */
    boolean wasSent() {
        return state.get() == State.SENT;
    }

    CompletableFuture<Object> reply() {
        return reply;
    }

    /** How many replicas have the write, where that was asked for. */
    int replicas() {
        return replicas;
    }

    CommandData<?, Object> into(CompletableFuture<Object> promise) {
        return new CommandData<>(promise, StringCodec.INSTANCE, command, arguments);
    }

    /** Hands the reply on once it is known how many replicas have the write. */
    void settle(CompletableFuture<Object> promise, int replicas) {
        this.replicas = replicas;
        var unused = promise.whenComplete((value, trouble) -> {
            if (trouble == null) {
                reply.complete(value);
            } else {
                reply.completeExceptionally(trouble);
            }
        });
    }
}
