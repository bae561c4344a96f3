package dev.exactlyonce.redis.client;

import dev.exactlyonce.redis.Deadline;
import org.redisson.client.RedisAskException;
import org.redisson.client.RedisRedirectException;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.connection.MasterSlaveEntry;

/**
 * One command for the master of its key. It is repeated once when its connection was cut, and follows a Cluster's
 * redirections; everything else is its caller's to decide.
 */
public final class RoutedCommand {
    private static final int MOST_REDIRECTIONS = 3;

    private final PipelinedClient client;
    private final RedisCommand<?> command;
    private final Object[] arguments;
    private final boolean repeatable;
    private final Deadline deadline;
    private SharedConnection connection;
    private QueuedCommand operation;

    /**
     * Sends the command, and waits for nothing but the client's first connection.
     *
     * @param repeatable whether an answer is as true when an earlier attempt, whose reply is lost, has been applied
     */
    public RoutedCommand(
            PipelinedClient client,
            String key,
            boolean repeatable,
            Deadline deadline,
            RedisCommand<?> command,
            Object... arguments) {
        this.client = client;
        this.command = command;
        this.arguments = arguments;
        this.repeatable = repeatable;
        this.deadline = deadline;
        this.connection = client.connectionTo(client.masterOf(key, deadline));
        this.operation = new QueuedCommand(command, arguments, false);
        connection.submit(operation);
    }

    public CommandReply await() {
        boolean repeated = false;
        for (int redirections = 0; ; ) {
            CommandReply answer = connection.await(operation, deadline);
            if (answer.failure() instanceof SharedConnection.Cut && !repeated && mayRepeat()) {
                repeated = true;
                send(connection.master(), false);
            } else if (answer.failure() instanceof RedisRedirectException elsewhere) {
                MasterSlaveEntry named = client.masterAt(elsewhere.getUrl());
                if (named == null || ++redirections > MOST_REDIRECTIONS) {
                    return answer;
                }
                send(named, elsewhere instanceof RedisAskException);
            } else {
                return answer;
            }
        }
    }

    private boolean mayRepeat() {
        return (repeatable || !operation.wasSent()) && !deadline.isOver();
    }

    private void send(MasterSlaveEntry master, boolean asking) {
        connection = client.connectionTo(master);
        operation = new QueuedCommand(command, arguments, asking);
        connection.submit(operation);
    }
}
