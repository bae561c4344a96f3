package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;

/**
 * Commands over a connection that is one caller's own. For that caller's thread alone. It ends with the channel it began
 * on: the client may have put another into the connection, which does not know the watched keys.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure here closes the channel, which is handled
public final class DedicatedConnection implements AutoCloseable {
    public static final RedisCommand<Object> GET = new RedisCommand<>("GET");
    public static final RedisCommand<Object> PTTL = new RedisCommand<>("PTTL");

    /** Kept back from the time left, so that the reply itself is received. */
    private static final long RECEIVING_MILLIS = 20;

    private final Deadline deadline;
    private final Queue<CompletableFuture<Object>> sent = new ConcurrentLinkedQueue<>();
    private final Channel channel;
    private final ChannelFutureListener atItsEnd = closed -> hangUp();

    public DedicatedConnection(RedisConnection connection, Deadline deadline) {
        this.deadline = deadline;
        this.channel = connection.getChannel();
        channel.closeFuture().addListener(atItsEnd);
    }

    /** A cut connection answers nothing any more. */
    private void hangUp() {
        sent.forEach(it -> it.completeExceptionally(new SharedConnection.Cut()));
    }

    public void send(RedisCommand<?> command, Object... arguments) {
        CompletableFuture<Object> promise = new CompletableFuture<>();
        sent.add(promise);
        channel.writeAndFlush(new CommandData<>(promise, StringCodec.INSTANCE, command, arguments));
        if (!channel.isOpen()) {
            hangUp();
        }
    }

    /** The replies to all that was sent since the last time; the first that is an error is thrown. */
    public List<Object> receive() {
        List<Object> replies = new ArrayList<>(sent.size());
        for (CommandReply answer : receiveEach()) {
            replies.add(answer.orThrow());
        }
        return replies;
    }

    /** The same, with the errors that Redis replied among them; what is no reply is thrown. */
    public List<CommandReply> receiveEach() {
        List<CommandReply> replies = new ArrayList<>(sent.size());
        try {
            for (CompletableFuture<Object> one : sent) {
                replies.add(reply(one));
            }
        } finally {
            sent.clear();
        }
        return replies;
    }

    private CommandReply reply(CompletableFuture<Object> promise) {
        try {
            return CommandReply.of(deadline.await(promise));
        } catch (ExecutionException | TimeoutException e) {
            Throwable why = RedisExceptions.cause(e);
            if (why instanceof RedisException) {
                return CommandReply.failed(why);
            }
            throw RedisExceptions.of(why);
        }
    }

    /** How many replicas have what this connection wrote last. */
    public int waitFor(int replicas) {
        send(RedisCommands.WAIT, replicas, Math.max(1, deadline.leftMillis() - RECEIVING_MILLIS));
        return (Integer) receive().get(0);
    }

    /** Leaves the connection to its next user, without listeners of this one. */
    @Override
    public void close() {
        channel.closeFuture().removeListener(atItsEnd);
    }
}
